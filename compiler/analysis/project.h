#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/flyte/analysis.h"
#include "compiler/inputs/input_files.h"
#include "compiler/inputs/joins.h"
#include "compiler/inputs/request.h"
#include "compiler/ir/document.h"
#include "compiler/model/corpus.h"
#include "compiler/model/node_kinds.h"
#include "compiler/schedule/api/api_review.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint {

class Progress;

/// Files that belong together, and everything known of them.
struct Scope {
  std::string name;           ///< Of gpulint.yaml's `scopes`; empty otherwise.
  std::vector<FileId> files;  ///< In path order.
  bool runs_on_shared_nodes = false;
  std::vector<FileId> joined_nodes;  ///< What the others are held against because it is near them.
  unsigned jobs = 1;                 ///< Threads for what is done within it, as in parallel_for().
  Settings settings;
  Corpus corpus;  ///< Points into the rest and into the project's documents.
  flyte::Analysis flyte;
  ApiReview api;  ///< Filled in where rules run, as is the next.
  PlacementAnalysis placement;
};

/// The inputs of a run: read, parsed, grouped into scopes and lowered. Stable addresses throughout.
struct Project {
  SourceSet sources;
  ConfigReading config;
  std::vector<std::unique_ptr<Document>> config_documents;  ///< What `config` points into.
  /// Parsed documents of each file (indexed by FileId), embedded ones after their hosts. Documents
  /// that hold nothing gpulint reads are counted, not kept.
  std::vector<std::vector<std::unique_ptr<Document>>> documents;
  /// Documents of nothing but Nodes on which several scopes run: rules judge them in a scope of
  /// their own, not once for each.
  std::set<const Document*> shared_nodes;
  NodeKinds shared_kinds;  ///< Of these; every single node where nodes are shown.
  std::deque<Scope> scopes;
  std::vector<Apart> apart;  ///< Files that were not held against nodes of the same tree.
  /// What the environment or gpulint.yaml refused, ready to print: exit status 2.
  std::vector<std::string> errors;
  /// Files of walked folders that are targets of this run, too: no inputs if gpulint wrote them.
  std::vector<std::string> own_outputs;
  std::vector<FileId> inputs;  ///< What is checked: not gpulint.yaml, not files of tasks.
  std::vector<FileId> named;  ///< Of the inputs, those named one by one, standard input among them.
  std::set<FileId> bystanders;  ///< Of the inputs, those that --in-tree only compares with.
  std::size_t document_count = 0;
  bool runs_on_defaults = false;  ///< Tasks were compiled under Flyte's defaults for want of any.
};

/// Loads what the options name. Never fails as a whole: unreadable files are in `errors`.
/// `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request,
                                                    const Overlay& overlay = {},
                                                    Progress* progress = nullptr);

}  // namespace gpulint
