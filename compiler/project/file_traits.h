#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/model/kinds/flyte_document.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/project.h"

namespace gpulint {

/// What the reading of other files depends on in one file, next to the answers of PlanAnswers. An
/// edit that keeps all of it changes nothing outside of the scopes of the file.
struct FileTraits {
  bool may_declare_nodes = false;
  bool has_variables = false;
  bool has_template = false;
  bool has_node = false;
  bool has_workloads = false;
  std::vector<flyte::DocumentKind> flyte;  ///< Of its documents.
  std::set<std::string> custom_kinds;      ///< Their definitions are read.
  KustomizeFiles::Knowledge kustomized;

  bool operator==(const FileTraits&) const = default;
};

/// nullopt for files whose edits may change anything: kustomizations, definitions, Python,
/// variables of Flux, nodes that several scopes share, Flyte's configuration next to tasks.
[[nodiscard]] std::optional<FileTraits> traits_of(const Project& project,
                                                  const KustomizeFiles& kustomize_files,
                                                  FileId file);

}  // namespace gpulint
