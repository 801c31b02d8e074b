#include "compiler/engine/rule.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/chart_values.h"
#include "rules/unknown-chart-key/chart_keys.h"

namespace gpulint::rules::unknown_chart_key {
namespace {

using Keys = std::span<const std::string_view>;

[[nodiscard]] std::size_t count_known(Node mapping, Keys keys) {
  const std::vector<Node::Entry> entries = mapping.fields();
  return static_cast<std::size_t>(std::ranges::count_if(
      entries, [&](const Node::Entry& entry) { return is_listed(keys, entry.key.text()); }));
}

/// A key that is none of these, and near to one that is not there.
void check_keys(const Corpus& corpus, Reporter& reporter, Node mapping, Keys keys,
                std::string_view owner, std::string_view effect) {
  for (const Node::Entry& entry : mapping.fields()) {
    const std::string_view key = entry.key.text();
    if (entry.key.is_opaque() || is_listed(keys, key)) continue;
    const auto meant = find_meant(key, keys);
    if (!meant || mapping.get(*meant)) continue;
    reporter.report(entry.key, "{} has no key `{}`", owner, key)
        .help("{}; did you mean `{}`?", effect, *meant)
        .fix(Safety::unsafe, fmt::format("rename to `{}`", *meant),
             replace_string(*corpus.sources, entry.key, std::string(*meant)));
  }
}

/// A pod's field that has another name in this place.
void check_names(Reporter& reporter, Node mapping, std::span<const OtherName> names,
                 std::string_view owner, std::string_view effect) {
  for (const OtherName& name : names) {
    const Node value = mapping.get(name.written);
    if (!value || value.is_null() || (!value.is_scalar() && value.size() == 0)) continue;
    reporter.report_key(value, "`{}` is no key of {}", name.written, owner)
        .help("{}; what is meant is `{}`", effect, name.meant);
  }
}

void check_operator(const Corpus& corpus, Reporter& reporter, Node root, std::string_view effect) {
  check_keys(corpus, reporter, root, gpu_operator_parts(), "GPU Operator", effect);
  for (const Node::Entry& entry : root.fields()) {
    const std::string_view part = entry.key.text();
    const Keys keys = gpu_operator_keys(part);
    if (keys.empty()) continue;
    check_keys(corpus, reporter, entry.value, keys, fmt::format("`{}` of GPU Operator", part),
               effect);
  }
}

/// Whether values are those of the operator's chart: three of its parts by name.
[[nodiscard]] bool is_operator(Node values) {
  constexpr std::string_view own[] = {"dcgmExporter",       "devicePlugin", "driver",
                                      "migManager",         "mig",          "gfd",
                                      "nodeStatusExporter", "toolkit",      "vgpuManager"};
  return count_known(values, own) >= 3 ||
         (values.key() && values.key().text() == "gpu-operator" && count_known(values, own) > 0);
}

void check_hub(Reporter& reporter, Node at) {
  const std::string_view key = at.key() ? at.key().text() : std::string_view{};
  if (key == "singleuser" && count_known(at, single_user_keys()) > 0) {
    check_names(reporter, at, single_user_names(), "`singleuser`",
                "zero-to-jupyterhub does not read it, and refuses it where it has a schema");
  } else if (key == "kubespawner_override") {
    check_names(reporter, at, override_names(), "KubeSpawner",
                "it is ignored: traits are written as in Python");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    for (const Node values : find_chart_values(*document)) {
      walk(values, [&](Node at) {
        if (!at.is_mapping()) return;
        check_hub(reporter, at);
        const bool is_chart = at == values || at.key().text() == "gpu-operator";
        if (is_chart && is_operator(at)) {
          check_operator(corpus, reporter, at, "Helm ignores it");
        }
      });
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("ClusterPolicy")) continue;
    if (!object.api_version.value_or("").starts_with("nvidia.com/")) continue;
    check_operator(corpus, reporter, object.node.get("spec"), "the API server drops it");
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unknown-chart-key",
             .category = "operators",
             .summary = "A key that the operator or chart does not read, and what was meant.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::unknown_chart_key
