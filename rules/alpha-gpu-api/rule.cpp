#include "compiler/engine/rule.h"

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/scope/build_scope_model.h"
#include "rules/alpha-gpu-api/alpha_annotations.h"
#include "rules/alpha-gpu-api/alpha_resource.h"
#include "rules/support/command_line.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_gpu_api {
namespace {

/// Calls `visit(use, items, i, text)` for each comma-separated item in each use of a flag.
void visit_flag_items(const Corpus& corpus, Node root, std::string_view flag, const auto& visit) {
  for (const FlagUse& use : find_flag(*corpus.sources, root, flag)) {
    const std::vector<Span> items = flag_items(*corpus.sources, use);
    for (std::size_t i = 0; i < items.size(); ++i) {
      visit(use, items, i, corpus.sources->file(items[i]).text(items[i]));
    }
  }
}

// The label of the GPU model.

/// Writes the label in place of `key`, and each of its values as that label has it. Empty if a
/// value is unknown.
[[nodiscard]] std::vector<Edit> rename_label(const SourceSet& sources, Node key,
                                             const std::vector<Node>& values,
                                             std::string_view label) {
  std::vector<Edit> edits = replace_string(sources, key, label);
  for (const Node value : values) {
    const auto text = device_label_value(label, value.text());
    if (!text || value.is_opaque() || edits.empty()) return {};
    if (*text == value.text()) continue;
    const std::vector<Edit> renamed = replace_string(sources, value, *text);
    if (renamed.empty()) return {};
    edits.insert(edits.end(), renamed.begin(), renamed.end());
  }
  return edits;
}

void report_label(Reporter& reporter, Node where, std::string_view label, std::vector<Edit> edits) {
  Finding finding =
      reporter.report(where, "no component sets the node label `{}` any more", alpha_device_label);
  if (edits.empty()) {
    finding.help("use the label `{}` for the GPU model", label);
    return;
  }
  finding.help("nodes have the GPU model in the label `{}`", label)
      .fix(Safety::unsafe, fmt::format("rename the label to `{}`", label), std::move(edits));
}

/// Node selector requirements, node selectors and labels of nodes.
void check_labels(const Corpus& corpus, Reporter& reporter, Node root, std::string_view label) {
  const SourceSet& sources = *corpus.sources;
  walk(root, [&](Node node) {
    if (node.is_scalar() && node.key().text() == "key" && node.text() == alpha_device_label) {
      report_label(reporter, node, label,
                   rename_label(sources, node, node.parent().get("values").items(), label));
    }
    if (!node.is_mapping()) return;
    for (const auto& [key, value] : node.entries()) {
      if (key.text() != alpha_device_label) continue;
      const bool is_renamed = value.is_scalar() && !value.parent().get(label);
      report_label(
          reporter, key, label,
          is_renamed ? rename_label(sources, value.key(), {value}, label) : std::vector<Edit>{});
    }
  });
}

void check_label_flags(const Corpus& corpus, Reporter& reporter, Node root,
                       std::string_view label) {
  const auto check_item = [&](const FlagUse& use, const std::vector<Span>& items, std::size_t i,
                              std::string_view text) {
    if (!text.starts_with(alpha_device_label)) return;
    const auto length = static_cast<std::uint32_t>(alpha_device_label.size());
    reporter
        .report_span({items[i].file, items[i].begin, items[i].begin + length}, use.scalar,
                     "the kubelet does not start with the label `{}`", alpha_device_label)
        .help(
            "remove the label, because a kubelet may set only a few labels of the domain "
            "`kubernetes.io`. Select the GPU model with the label `{}`",
            label);
  };
  visit_flag_items(corpus, root, "node-labels", check_item);
}

/// The resource's name is the beginning of the label's.
void check_names(const Corpus& corpus, Reporter& reporter) {
  const Deprecation* fact =
      find_removed(DeprecationKind::resource, alpha_resource, corpus.settings->kubernetes_version);
  const std::string_view label = device_label(corpus);
  for (const Document* document : documents_with(corpus, alpha_resource)) {
    const Node top = root(*document);
    if (fact != nullptr) check_resource(corpus, reporter, *fact, top);
    check_labels(corpus, reporter, top, label);
    check_label_flags(corpus, reporter, top, label);
  }
}

// Feature gates.

/// `--feature-gates=…`, kube-env's `FEATURE_GATES`, and mappings of configuration files.
constexpr std::array<std::string_view, 3> gate_settings{"feature-gates", "FEATURE_GATES",
                                                        "featureGates"};

/// Continues "remove the gate".
[[nodiscard]] std::string successor_of_gate(const Deprecation& fact) {
  if (fact.replacement.starts_with("always on")) return ", because the feature is always enabled";
  const bool is_field = fact.replacement.starts_with("spec.");
  return is_field ? fmt::format(", and use `{}`", fact.replacement)
                  : fmt::format(", and use {}", fact.replacement);
}

void report_gate(Reporter& reporter, const Deprecation& fact, Span where, Node context,
                 std::vector<Edit> edits) {
  reporter
      .report_span(where, context, "Kubernetes 1.{} removed the feature gate `{}`",
                   fact.removed_minor, fact.name)
      .help("remove the gate{}. Otherwise the component does not start", successor_of_gate(fact))
      .fix(Safety::safe, "remove the gate", std::move(edits));
}

void check_gate_flags(const Corpus& corpus, Reporter& reporter, Node root) {
  const auto check_item = [&](const FlagUse& use, const std::vector<Span>& items, std::size_t i,
                              std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    const Deprecation* fact = find_removed(DeprecationKind::feature_gate, text.substr(0, equals),
                                           corpus.settings->kubernetes_version);
    if (fact == nullptr) return;
    report_gate(reporter, *fact, items[i], use.scalar,
                remove_flag_item(*corpus.sources, use, items, i));
  };
  for (const std::string_view name : gate_settings) {
    visit_flag_items(corpus, root, name, check_item);
  }
}

/// `featureGates: {Accelerators: true}` of KubeletConfiguration, kubeadm, kOps, eksctl …
void check_gate_mappings(const Corpus& corpus, Reporter& reporter, Node root) {
  walk(root, [&](Node node) {
    if (!node.is_mapping() || node.key().text() != gate_settings.back()) return;
    for (const auto& [key, value] : node.entries()) {
      const Deprecation* fact = find_removed(DeprecationKind::feature_gate, key.text(),
                                             corpus.settings->kubernetes_version);
      if (fact == nullptr) continue;
      report_gate(reporter, *fact, key.span(), value,
                  remove_entry(*corpus.sources, node.size() == 1 ? node : value));
    }
  });
}

void check_gates(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    const bool has_gates = !holds_only_nodes(*document) &&
                           std::ranges::any_of(gate_settings, [&](std::string_view name) {
                             return holds_word(corpus, *document, name);
                           });
    if (!has_gates) continue;
    check_gate_flags(corpus, reporter, root(*document));
    check_gate_mappings(corpus, reporter, root(*document));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_annotations(corpus, reporter);
  check_names(corpus, reporter);
  check_gates(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "deprecated",
             .fix = FixAvailability::safe,
             .aliases = "accelerators-feature-gate alpha-affinity-annotation "
                        "alpha-gpu-node-label alpha-nvidia-gpu"},
    .check = check};

}  // namespace gpulint::rules::alpha_gpu_api
