#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The messages of flyteidl 1.16 in which a task says what it runs on, with the fields that count
/// there: numbers from its descriptors, names as protobuf's JSON has them. Environment, arguments
/// and images are none of them.
namespace gpulint::flyteidl {

struct Message;

struct Field {
  enum class Kind : std::uint8_t {
    text,
    boolean,
    word,       ///< Of an enumeration: one of `words`.
    message,    ///< Of the kind `message`.
    text_map,   ///< `map<string, string>`
    structure,  ///< `google.protobuf.Struct`: any JSON object.
  };

  std::uint32_t number = 0;
  std::string_view name;
  Kind kind = Kind::text;
  bool is_list = false;
  const Message* message = nullptr;
  std::span<const std::string_view> words;
};

struct Message {
  std::span<const Field> fields;
};

extern const Message task_spec;      ///< `flyteidl.admin.TaskSpec`
extern const Message workflow_spec;  ///< `flyteidl.admin.WorkflowSpec`

}  // namespace gpulint::flyteidl
