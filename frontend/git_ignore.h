#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/glob.h"

namespace gpulint {

/// Decides by the `.gitignore` files of a repository, without running git. Whether a file is
/// tracked, which git asks first, is GitIndex's business.
class GitIgnore {
 public:
  /// Adds the lines of a `.gitignore`. `folder` is where it lies, relative to the repository and
  /// ending in `/` unless empty. Later files win over earlier ones, so the root's comes first.
  void add(std::string_view folder, std::string_view text);

  enum class Entry : std::uint8_t { file, folder };
  /// Whether git ignores the path, which is relative to the repository. Says nothing of the
  /// folders above it: a path below an ignored folder is not to be asked for.
  [[nodiscard]] bool ignores(std::string_view path, Entry entry) const;

  /// What add() has been given so far, to return to with restore() when leaving a folder.
  [[nodiscard]] std::size_t size() const { return rules_.size(); }
  void restore(std::size_t size);

 private:
  struct Rule {
    std::string folder;  ///< The rule counts below it.
    GitPattern pattern;  ///< Without `!` and slashes at either end.
    bool is_negated = false;
    bool is_for_folders = false;
    bool is_anchored = false;  ///< Holds for paths from `folder` on, not for names anywhere.
  };
  void add_line(std::string_view folder, std::string_view line);
  [[nodiscard]] static bool matches(const Rule& rule, std::string_view path);

  std::vector<Rule> rules_;
};

}  // namespace gpulint
