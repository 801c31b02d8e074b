#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/schema.h"

namespace gpulint {

/// A difference between a value and its schema.
struct SchemaProblem {
  enum class Kind : std::uint8_t {
    unknown_key,   ///< `at` is a key that its section does not have; `path` is the section.
    wrong_type,    ///< `at` does not have the type.
    unknown_word,  ///< `at` is not one of the words.
    missing        ///< `at` is a section without the field at the end of `path`.
  };
  Kind kind = Kind::unknown_key;
  Node at;
  std::string path;                ///< From the root: `driver.upgradePolicy`, `flavors[0].name`.
  const Schema* schema = nullptr;  ///< The expected schema; for unknown keys their section.
};

/// All problems, in document order. Skips what is opaque or null.
[[nodiscard]] std::vector<SchemaProblem> find_schema_problems(Node value, const Schema& schema);

/// The key of a section that another one probably means: one letter differs (two of nine or more
/// letters), only letter case differs, or it is the only one with this beginning (`runtimeEnv`,
/// `runtimeEnvYAML`). Empty if there is none.
[[nodiscard]] std::string_view meant_key(std::string_view key, const Schema& section);

/// The paths of a key in the schema: `operator.tolerations`, `daemonsets.tolerations`.
[[nodiscard]] std::vector<std::string> paths_of_key(const Schema& schema, std::string_view key);

/// `a boolean`, `a mapping`.
[[nodiscard]] std::string_view type_text(const Schema& schema);

}  // namespace gpulint
