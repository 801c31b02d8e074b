#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/model/cluster.h"
#include "compiler/model/settings.h"

namespace gpulint {

/// What a file found in a folder holds, as far as it decides with which others it is judged.
struct FileContent {
  FileId file = 0;
  std::string path;  ///< As SourceFile has it.
  /// Its nodes and node pools: kind and name, and a hash of the text. Empty: it serves nobody.
  std::vector<std::pair<std::string, std::size_t>> nodes;
  std::vector<Provider> providers;  ///< That these show evidence of, each once.
  bool holds_pods = false;          ///< Beside the nodes; of files without nodes it does not count.
  FlyteChart values = FlyteChart::unknown;  ///< The chart that it holds values of.
};

/// Files that are judged together although nobody has said so.
struct Join {
  std::vector<FileId> files;  ///< Those with nodes among them.
  std::vector<FileId> nodes;
};

/// Files that are not held against nodes of the same tree.
struct Apart {
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
  std::vector<Apart> apart;
};

/// Which of the files belong together by where they stand (docs/scopes.md). Nodes and pools serve
/// the files for which they are the nearest in the tree: in the same folder, in one around it, or
/// beside it in a folder named after machines or clusters. Evidence of several clusters, or of
/// alternatives, keeps apart.
[[nodiscard]] JoinPlan plan_joins(std::span<const FileContent> files);

}  // namespace gpulint
