#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::test {

/// A file of a run, in memory.
struct InputText {
  std::string name;
  std::string text;
};
using Inputs = std::vector<InputText>;

/// A way to write the same things otherwise.
struct Transform {
  std::string_view name;
  /// How much of a finding must stay.
  enum class Keeps : std::uint8_t {
    places,  ///< Rule, severity, message, object, key path; and how many there are.
    words,   ///< Rule, severity, message: the place is another one where an anchor is shared.
  } keeps = Keeps::places;
  /// Whether the text says the same to Kubernetes (yaml_tree.h, meaning_of()): checked, so that no
  /// transform proves anything by breaking its files.
  enum class Meaning : std::uint8_t { same, other } meaning = Meaning::same;
  /// Whether the text stays but for what is added, or is written anew from what was read.
  enum class Written : std::uint8_t { as_it_was, anew } writing = Written::as_it_was;
  /// Whether names and number of files stay, so that arguments and gpulint.yaml may speak of them.
  enum class Files : std::uint8_t { same, other } files = Files::same;
  /// Null where it does not apply to these inputs, or changes nothing.
  std::function<std::optional<Inputs>(const Inputs&)> apply;
};

/// All of them, in a fixed order. What names get appended when they are renamed is
/// `renaming_mark`.
[[nodiscard]] std::vector<Transform> all_transforms();
inline constexpr std::string_view renaming_mark = "-zz";

}  // namespace gpulint::test
