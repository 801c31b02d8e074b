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
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/settings.h"
#include "compiler/project/path_words.h"

namespace gpulint {

/// Objects by kind and name, such as "Node `a`", each with a hash of its text.
using NamedTexts = std::vector<std::pair<std::string, std::size_t>>;

/// What pods and objects of a file use.
struct Needs {
  std::set<SharedObject> objects;
  std::set<std::string> kinds;  ///< `group/Kind` of custom resources, which need definitions.

  void merge(Needs more) {
    objects.merge(more.objects);
    kinds.merge(more.kinds);
  }
  bool operator==(const Needs&) const = default;
};

/// The content of a walked file that decides which files it is checked with.
struct FileContent {
  FileId file = 0;
  std::string path;                 ///< As in SourceFile.
  NamedTexts nodes;                 ///< Its nodes and node pools.
  std::vector<Provider> providers;  ///< Providers of these nodes, each once.
  std::map<SharedObject, NamedTexts> objects;
  std::map<std::string, NamedTexts> definitions;  ///< CustomResourceDefinitions by `group/Kind`.
  Needs needs;
  std::set<std::pair<std::string, std::string>>
      clusters;             ///< Names and regions of clusters that the nodes declare.
  bool holds_pods = false;  ///< Next to nodes or objects; meaningless for files without these.
  FlyteChart values = FlyteChart::unknown;  ///< The chart whose values the file contains.

  bool operator==(const FileContent&) const = default;
};

/// Files that gpulint checks together although the user did not name them together.
struct Join {
  std::vector<FileId> files;    ///< All of them, with `nodes` and `objects`.
  std::vector<FileId> nodes;    ///< Files with the nodes that the others are compared with.
  std::vector<FileId> objects;  ///< Files with objects that the others need.
};

/// Files that are not compared with nodes of the same tree.
struct NotCompared {
  enum class Kind : std::uint8_t {
    clusters,  ///< There is evidence of several clusters, or of alternatives.
    far,       ///< No nodes are near.
    layers     ///< Several values files may be one release, in unknown order.
  };
  Kind kind = Kind::clusters;
  std::vector<FileId> files;
  std::vector<FileId> nodes;
  std::string because;  ///< "the nodes belong to different providers", for use after a colon.
};

struct JoinPlan {
  std::vector<Join> joins;
  std::vector<NotCompared> not_compared;
};

/// Decides by their paths which files belong together (docs/explanation/scopes.md). Nodes and pools
/// serve the files for which they are the nearest in the tree: in the same folder, in a folder
/// around it, or in a folder next to it that is named after machines or clusters. Files with
/// evidence of several clusters, or of alternatives, are not joined. Objects serve, by the same
/// rule, each file that needs them and does not define them.
[[nodiscard]] JoinPlan plan_joins(std::span<const FileContent> files);

/// The files that a named file is joined with.
struct NamedJoin {
  Join join;            ///< Without the named file itself.
  NotCompared refused;  ///< Nodes of several clusters, which are not in `join`.
};

/// Joins a file with the files of folders that the user named with it: with their nodes, as if the
/// file were at `file.path`, and with the objects that it needs.
[[nodiscard]] NamedJoin join_named(std::span<const FileContent> files, const FileContent& file);

/// Finds the files nearest to another file that provide nodes or objects
/// (docs/explanation/scopes.md).
class Nearest {
 public:
  using Files = std::vector<const FileContent*>;
  /// What a file provides for others; empty for most files.
  using Reader = std::function<const NamedTexts&(const FileContent&)>;

  /// A project is a folder with its own name (`eks-triton`) and files that provide nothing. If
  /// projects are kept apart, files in them serve nothing outside.
  enum class Projects : std::uint8_t { ignored, kept_apart };

  /// `files` must outlive it.
  Nearest(std::span<const FileContent> files, Reader given, FolderWords serves_around,
          Projects projects = Projects::ignored);

  [[nodiscard]] const Files& all() const { return all_; }

  /// The files that serve a file, or the reason why none does.
  struct Choice {
    Files files;
    Files refused;  ///< The files that were rejected for the reason.
    NotCompared::Kind kind = NotCompared::Kind::clusters;
    std::string because;

    [[nodiscard]] static Choice none(Files refused, NotCompared::Kind kind, std::string because) {
      return {{}, std::move(refused), kind, std::move(because)};
    }
  };
  /// Searches the folder of the file, then each folder around it, until one is served.
  [[nodiscard]] Choice choose(const FileContent& file) const;

 private:
  /// The files that serve a folder.
  struct Serving {
    Files files;
    /// For each file the cluster or environment in its path below the folder; empty: none.
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
  std::map<std::string, Serving> serving_;  // by folder
  std::set<std::string> projects_;
  std::map<std::string, std::string> kept_;  // by folder: a project that does not serve it
};

}  // namespace gpulint
