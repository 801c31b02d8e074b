#include "compiler/analysis/file_content.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/model/document_role.h"
#include "compiler/model/pod_templates.h"
#include "compiler/model/read_cluster.h"

namespace gpulint {
namespace {

[[nodiscard]] FlyteChart chart_of(const Document& document) {
  for (const DocumentRole role : roles_of(document)) {
    if (role == DocumentRole::flyte_core_values) return FlyteChart::core;
    if (role == DocumentRole::flyte_binary_values) return FlyteChart::binary;
  }
  return FlyteChart::unknown;
}

[[nodiscard]] bool makes_pods(const Document& document) {
  return document.errors.empty() && !find_pod_templates(find_objects(root(document))).empty();
}

/// «Node `gpu-1`», or what else declares nodes.
[[nodiscard]] std::string name_of(const NodePool& pool) {
  const std::string_view kind = pool.node.get("kind").text();
  return fmt::format("{} `{}`", kind.empty() ? "node pool" : kind, pool.name);
}

}  // namespace

FileContent read_content(const Project& project, FileId file) {
  const SourceFile& source = project.sources.file(file);
  FileContent content{.file = file, .path = source.path(), .nodes = {}, .providers = {}};
  std::vector<const Document*> documents;
  for (const auto& document : project.documents[file]) documents.push_back(document.get());
  const Cluster cluster = read_cluster(documents, {}, Settings{}, {});
  for (const NodePool& pool : cluster.pools) {
    if (pool.source == NodePool::Source::kubelet) continue;
    content.nodes.emplace_back(name_of(pool),
                               std::hash<std::string_view>()(source.text(pool.node.span())));
  }
  if (cluster.provider != Provider::unknown) content.providers.push_back(cluster.provider);
  if (content.nodes.empty()) return content;
  content.holds_pods = std::ranges::any_of(documents, [](const Document* document) {
    return makes_pods(*document) || chart_of(*document) != FlyteChart::unknown;
  });
  return content;
}

FlyteChart read_values_chart(const Project& project, FileId file) {
  for (const auto& document : project.documents[file]) {
    if (const FlyteChart chart = chart_of(*document); chart != FlyteChart::unknown) return chart;
  }
  return FlyteChart::unknown;
}

}  // namespace gpulint
