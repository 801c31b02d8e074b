#include "compiler/project/file_traits.h"

#include "compiler/base/text.h"
#include "compiler/project/definitions.h"
#include "compiler/project/file_content.h"
#include "compiler/project/surroundings.h"
#include "frontend/relevance.h"

namespace gpulint {
namespace {

[[nodiscard]] bool changes_anything(const Project& project, const SourceFile& file) {
  return is_python_or_package(file) || may_be_kustomization(file) ||
         may_set_variables(file.text()) || is_definition(file.text()) ||
         (!project.flux_variables.empty() && has_text(file.text(), "ConfigMap"));
}

}  // namespace

std::optional<FileTraits> traits_of(const Project& project, const KustomizeFiles& kustomize_files,
                                    FileId id) {
  const SourceFile& file = project.sources.file(id);
  if (changes_anything(project, file)) return std::nullopt;
  const std::string_view text = file.text();
  FileTraits traits;
  traits.may_declare_nodes = may_declare_nodes(text);
  traits.has_variables = has_text(text, "${") && may_concern_gpus(text);
  traits.has_template = holds_template(project, id);
  traits.has_node = holds_node(project, id);
  traits.kustomized = kustomize_files.knowledge_of(file);
  for (const auto& document : project.documents[id]) {
    if (project.shared_nodes.documents.contains(document.get())) return std::nullopt;
    traits.flyte.push_back(flyte::recognize(*document).kind);
    const bool is_flyte = traits.flyte.back() != flyte::DocumentKind::none;
    if (is_flyte && !project.python.empty()) return std::nullopt;
    const DocumentFacts& facts = project.facts.of(*document);
    traits.has_workloads = traits.has_workloads || !facts.workloads.empty();
    add_custom_kinds(facts.objects, traits.custom_kinds);
  }
  return traits;
}

}  // namespace gpulint
