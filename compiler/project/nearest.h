#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/project/joins.h"
#include "compiler/project/path_words.h"

namespace gpulint {

/// The files that have something for others, found by where these stand (docs/scopes.md).
class Nearest {
 public:
  using Files = std::vector<const FileContent*>;
  /// What of a file others may go by.
  using Reader = std::function<const NamedTexts&(const FileContent&)>;

  /// Whether a folder with a name of its own (`eks-triton`) and other files than those that give
  /// something serves nothing outside of it.
  enum class Projects : std::uint8_t { ignored, kept_apart };

  /// `files` must outlive it.
  Nearest(std::span<const FileContent> files, Reader given, FolderWords serves_around,
          Projects projects = Projects::ignored);

  [[nodiscard]] const Files& all() const { return all_; }

  /// What a file is held against, or why nothing.
  struct Choice {
    Files files;
    Files refused;  ///< What it would have been held against.
    Apart::Kind kind = Apart::Kind::clusters;
    std::string because;

    [[nodiscard]] static Choice none(Files refused, Apart::Kind kind, std::string because) {
      return {{}, std::move(refused), kind, std::move(because)};
    }
  };
  /// Looks from the file's folder outwards until there is something.
  [[nodiscard]] Choice choose(const FileContent& file) const;

 private:
  /// What serves a folder; beside each file the cluster, or environment, that the way down to it
  /// names (empty: none).
  struct Serving {
    Files files;
    std::vector<std::string> clusters;
  };

  [[nodiscard]] std::string project_on_way(std::string_view path, std::string_view folder) const;
  void find_projects(std::span<const FileContent> files);
  [[nodiscard]] Choice choose_among(const FileContent& file, const std::string& folder,
                                    const Serving& found) const;
  [[nodiscard]] std::string find_conflict(const Files& files) const;

  Reader given_;
  FolderWords serves_around_;
  Files all_;
  std::map<std::string, Serving> serving_;  // by the folder in which it is looked for
  std::set<std::string> projects_;
  std::map<std::string, std::string> kept_;  // a project whose files would serve a folder
};

}  // namespace gpulint
