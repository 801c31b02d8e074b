#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/schema.h"

namespace gpulint {

/// Where something differs from its schema.
struct SchemaProblem {
  enum class Kind : std::uint8_t {
    unknown_key,   ///< `at` is a key that its section has not; `path` is the section.
    wrong_type,    ///< `at` is none of the type.
    unknown_word,  ///< `at` is none of the words.
    missing        ///< `at` is a section without the field `path` ends in.
  };
  Kind kind = Kind::unknown_key;
  Node at;
  std::string path;                ///< From the root: `driver.upgradePolicy`, `flavors[0].name`.
  const Schema* schema = nullptr;  ///< What it should be; of unknown keys their section.
};

/// All of them, in document order. What is opaque or null is passed over.
[[nodiscard]] std::vector<SchemaProblem> find_schema_problems(Node value, const Schema& schema);

/// The key of a section that is meant by another one: one letter off, two of nine or more, in
/// other letter case, or the only one that begins with it (`runtimeEnv`, `runtimeEnvYAML`); empty
/// where none is.
[[nodiscard]] std::string_view meant_key(std::string_view key, const Schema& section);

/// The paths under which the schema has a key: `operator.tolerations`, `daemonsets.tolerations`.
[[nodiscard]] std::vector<std::string> paths_of_key(const Schema& schema, std::string_view key);

/// `a boolean`, `a mapping`.
[[nodiscard]] std::string_view type_text(const Schema& schema);

}  // namespace gpulint
