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

#include "compiler/base/source_file.h"
#include "compiler/model/cluster.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/settings.h"
#include "compiler/project/path_words.h"

namespace gpulint {

/// Things by kind and name, each with a hash of its text.
using NamedTexts = std::vector<std::pair<std::string, std::size_t>>;

/// What pods and objects of a file go by.
struct Needs {
  std::set<SharedObject> objects;
  std::set<std::string> kinds;  ///< Of custom resources, which have definitions: `group/Kind`.

  void merge(Needs more) {
    objects.merge(more.objects);
    kinds.merge(more.kinds);
  }
};

/// What a file found in a folder holds, as far as it decides with which others it is judged.
struct FileContent {
  FileId file = 0;
  std::string path;  ///< As SourceFile has it.
  NamedTexts nodes;  ///< Its nodes and node pools. Empty: it serves nobody with these.
  std::vector<Provider> providers;  ///< That these show evidence of, each once.
  std::map<SharedObject, NamedTexts> objects;
  std::map<std::string, NamedTexts> definitions;  ///< CustomResourceDefinitions by `group/Kind`.
  Needs needs;
  std::set<std::pair<std::string, std::string>>
      clusters;             ///< Names and regions that these declare.
  bool holds_pods = false;  ///< Beside these; of files without nodes and objects it says naught.
  FlyteChart values = FlyteChart::unknown;  ///< The chart that it holds values of.
};

/// Files that are judged together although nobody has said so.
struct Join {
  std::vector<FileId> files;    ///< Those of the next two among them.
  std::vector<FileId> nodes;    ///< Those with nodes that the others are held against.
  std::vector<FileId> objects;  ///< Those with objects that others of them need.
};

/// Files that are not held against nodes of the same tree.
struct NotCompared {
  enum class Kind : std::uint8_t {
    clusters,  ///< There is evidence of several clusters, or of alternatives.
    far,       ///< No nodes stand near.
    layers     ///< Of values files nobody knows which are one release.
  };
  Kind kind = Kind::clusters;
  std::vector<FileId> files;
  std::vector<FileId> nodes;
  std::string because;  ///< «they look like two clusters», to be read behind a colon.
};

struct JoinPlan {
  std::vector<Join> joins;
  std::vector<NotCompared> apart;
};

/// Which of the files belong together by where they stand (docs/explanation/scopes.md). Nodes and
/// pools serve the files for which they are the nearest in the tree: in the same folder, in one
/// around it, or beside it in a folder named after machines or clusters. Evidence of several
/// clusters, or of alternatives, keeps apart. Objects serve files that need them and have none of
/// their own, by the same rule, each such file by itself.
[[nodiscard]] JoinPlan plan_joins(std::span<const FileContent> files);

/// What a file gets from the files of folders that the user names with it: their nodes, as if it
/// were in a folder `file.path` names, and the objects that it needs. `files` of the Join has these
/// alone. Nodes of several clusters are in `refused` instead.
struct NamedJoin {
  Join join;
  NotCompared refused;
};

[[nodiscard]] NamedJoin join_named(std::span<const FileContent> files, const FileContent& file);

/// The files that have something for others, found by where these stand
/// (docs/explanation/scopes.md).
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
    NotCompared::Kind kind = NotCompared::Kind::clusters;
    std::string because;

    [[nodiscard]] static Choice none(Files refused, NotCompared::Kind kind, std::string because) {
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
