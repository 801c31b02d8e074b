#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::server {

/// Where a cursor is in YAML in block style, by indentation alone: a text that somebody types often
/// has syntax errors.
struct Cursor {
  /// The keys of the mappings and lists around the cursor, innermost last.
  std::vector<std::string> parents;
  std::string key;  ///< The key whose value is at the cursor; empty: a key or an item is typed.
  /// The other entries of the mapping of the cursor, or of the mapping around its list.
  std::map<std::string, std::string> neighbours;
  std::uint32_t word = 0;  ///< Offset where the word at the cursor begins.
  bool is_comment = false;

  [[nodiscard]] std::string_view parent() const {
    return parents.empty() ? std::string_view() : parents.back();
  }
};

[[nodiscard]] Cursor find_cursor(std::string_view text, std::uint32_t offset);

}  // namespace gpulint::server
