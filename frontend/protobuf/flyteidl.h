#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The messages of flyteidl 1.16 with the fields of a task that decide where it runs: numbers from
/// its descriptors, names as in protobuf's JSON. Environment, arguments and images are left out.
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
