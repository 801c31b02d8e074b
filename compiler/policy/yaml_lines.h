#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpulint::policy {

/// YAML, written line by line: what is read by people who review a policy, and byte for byte the
/// same for the same inputs.
class YamlLines {
 public:
  /// `key: value`, or `key:` alone; `at` is the depth in steps of two blanks. A leading `- ` of the
  /// key belongs to it.
  void put(std::size_t at, std::string_view key, std::string_view value = {});
  /// A text of any characters behind a key, as a literal block where it has several lines.
  void put_text(std::size_t at, std::string_view key, std::string_view text);
  void put_comment(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace gpulint::policy
