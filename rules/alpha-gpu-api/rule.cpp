#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/gitops/config_map.h"
#include "rules/support/command_line.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_gpu_api {
namespace {

/// The fact about a feature that the declared Kubernetes does not have any more; null for others.
[[nodiscard]] const Deprecation* find_removed(const Settings& settings, DeprecationKind kind,
                                              std::string_view name) {
  const Deprecation* fact = find_deprecation(kind, name);
  return fact != nullptr && is_removed(*fact, settings.kubernetes_version) ? fact : nullptr;
}

/// Calls `visit(use, items, i, text)` for each comma-separated item in each use of a flag.
void visit_flag_items(const Corpus& corpus, Node root, std::string_view flag, const auto& visit) {
  for (const FlagUse& use : find_flag(*corpus.sources, root, flag)) {
    const std::vector<Span> items = flag_items(*corpus.sources, use);
    for (std::size_t i = 0; i < items.size(); ++i) {
      visit(use, items, i, corpus.sources->file(items[i]).text(items[i]));
    }
  }
}

// Annotations in place of fields.

struct AnnotationMove {
  Node annotation;  ///< Its value.
  Node spec;        ///< Of the pod or node with the annotation.
  std::string_view field;
};

/// The annotation's JSON as a value of the field; null if it has another type or is templated.
[[nodiscard]] Node value_for_field(const EmbeddedIndex& embedded, Node annotation,
                                   std::string_view field) {
  const auto at = embedded.find({annotation.written().document(), annotation.written().index()});
  if (at == embedded.end() || annotation.is_opaque()) return {};
  const Node value = root(*at->second);
  bool is_plain = field == "affinity" ? value.is_mapping() : value.is_sequence();
  walk(value, [&](Node node) { is_plain = is_plain && !node.is_alias() && !node.is_opaque(); });
  return is_plain && value.size() > 0 ? value : Node{};
}

/// Writes the annotation's value into the field of `spec` and removes the annotation. Empty if the
/// field exists, or if the text is not plain JSON of the field's type.
[[nodiscard]] std::vector<Edit> move_to_field(const Corpus& corpus, const EmbeddedIndex& embedded,
                                              const AnnotationMove& move) {
  const auto& [annotation, spec, field] = move;
  const Node value = value_for_field(embedded, annotation, field);
  if (!value || !spec.is_mapping() || spec.get(field)) return {};
  const std::string_view label = device_label(corpus);
  const Rewrite modern = [&](Node scalar) { return modern_requirement_text(scalar, label); };
  const bool flow = spec.style() == Style::flow;
  const std::string text = flow ? flow_text(value, modern) : block_text(value, modern);
  std::vector<Edit> edits = insert_entry(*corpus.sources, spec, field, text);
  const Node annotations = annotation.parent();
  const std::vector<Edit> removal =
      remove_entry(*corpus.sources, annotations.size() == 1 ? annotations : annotation);
  if (edits.empty() || removal.empty()) return {};
  edits.insert(edits.end(), removal.begin(), removal.end());
  return edits;
}

struct Successor {
  std::string_view annotation;
  std::string_view field;  ///< Of the pod's or node's `spec`.
};

constexpr std::array<Successor, 3> successors{
    {{"scheduler.alpha.kubernetes.io/affinity", "affinity"},
     {"scheduler.alpha.kubernetes.io/tolerations", "tolerations"},
     {"scheduler.alpha.kubernetes.io/taints", "taints"}}};

[[nodiscard]] const Successor* find_successor(std::string_view annotation) {
  const auto at = std::ranges::find(successors, annotation, &Successor::annotation);
  return at == successors.end() ? nullptr : &*at;
}

/// An annotation that Kubernetes ignores, and the `spec` of its pod or node.
struct DeadAnnotation {
  const Deprecation* fact;
  const Successor* successor;  ///< May be null.
  Node value;
  Node spec;
};

void report_annotation(const Corpus& corpus, Reporter& reporter, const EmbeddedIndex& embedded,
                       const DeadAnnotation& dead) {
  const auto& [fact, successor, value, spec] = dead;
  Finding finding =
      reporter.report_key(value, "Kubernetes has ignored the annotation `{}` since 1.{}",
                          fact->name, fact->removed_minor);
  finding.help("remove the annotation and use {}", fact->replacement);
  if (successor == nullptr) {
    finding.severity(Severity::warning);
    return;
  }
  finding.fix(Safety::unsafe, fmt::format("move it to `spec.{}`", successor->field),
              move_to_field(corpus, embedded, {value, spec, successor->field}));
}

/// Adds the annotation if Kubernetes ignores it.
void add_annotation(const Settings& settings, std::string_view key, Node value, Node spec,
                    std::vector<DeadAnnotation>& found) {
  const Deprecation* fact = find_removed(settings, DeprecationKind::annotation, key);
  if (fact == nullptr) return;
  const Successor* successor = find_successor(fact->name);
  if (successor == nullptr && !settings.looks_beyond_gpus) return;
  found.push_back({fact, successor, value, spec});
}

void check_annotations(const Corpus& corpus, Reporter& reporter) {
  std::vector<DeadAnnotation> found;
  const Settings& settings = *corpus.settings;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      const bool about_gpus = settings.looks_beyond_gpus || concerns_gpus(workload.pod);
      for (const LabelEntry& entry : workload.annotations) {
        const Node value = entry.value.node();
        if (!about_gpus && !mentions_gpu(value.text())) continue;
        add_annotation(settings, entry.key.value, value, workload.pod.node, found);
      }
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("Node")) continue;
    for (const auto& [key, value] : object.node.at("metadata", "annotations").entries()) {
      add_annotation(settings, key.text(), value, object.node.get("spec"), found);
    }
  }
  if (found.empty()) return;
  const EmbeddedIndex embedded = index_embedded(corpus);
  for (const DeadAnnotation& dead : found) report_annotation(corpus, reporter, embedded, dead);
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

Finding report_label(Reporter& reporter, Node where, std::string_view label) {
  return reporter
      .report(where, "no component sets the node label `{}` any more", alpha_device_label)
      .help("use `{}`, the label that contains the GPU model", label);
}

/// Node selector requirements, node selectors and labels of nodes.
void check_labels(const Corpus& corpus, Reporter& reporter, Node root, std::string_view label) {
  const SourceSet& sources = *corpus.sources;
  const std::string title = fmt::format("write `{}`", label);
  walk(root, [&](Node node) {
    if (node.is_scalar() && node.key().text() == "key" && node.text() == alpha_device_label) {
      report_label(reporter, node, label)
          .fix(Safety::unsafe, title,
               rename_label(sources, node, node.parent().get("values").items(), label));
    }
    if (!node.is_mapping()) return;
    for (const auto& [key, value] : node.entries()) {
      if (key.text() != alpha_device_label) continue;
      Finding finding = report_label(reporter, key, label);
      if (!value.is_scalar() || value.parent().get(label)) continue;
      finding.fix(Safety::unsafe, title, rename_label(sources, value.key(), {value}, label));
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
                     "a kubelet that sets the label `{}` does not start", alpha_device_label)
        .help(
            "remove the label, because a kubelet may not set labels below `kubernetes.io`; the "
            "label that contains the GPU model is `{}`",
            label);
  };
  visit_flag_items(corpus, root, "node-labels", check_item);
}

// The resource.

constexpr std::string_view alpha_resource = "alpha.kubernetes.io/nvidia-gpu";
/// Before the resource's name: in containers, and in quotas.
constexpr std::string_view prefixes[] = {"", "requests.", "limits."};

/// The same entry in the `other` list (limits, requests) of a container's resources, as written.
[[nodiscard]] Node twin_in(Node amount, std::string_view other) {
  return written_value(amount.parent().parent().get(other), amount.key().text());
}

/// Amounts of 0 are harmless, `status` is written by the cluster, and a request is reported
/// together with its limit.
[[nodiscard]] bool is_passed_over(Node amount) {
  const Node entries = amount.parent();
  const Node of_node = used_under(entries, {"allocatable", "capacity"});
  if (amount.resolved().text() == "0" || entries.parent().key().text() == "status" ||
      of_node.parent().key().text() == "status") {
    return true;
  }
  if (entries.key().text() != "requests") return false;
  const Node limit = twin_in(amount, "limits");
  return limit && limit != amount;  // an alias makes both one
}

/// Renames the entry, or removes it if the successor is in the same mapping. In a list of
/// single-key mappings another item may have the successor; long lists are not searched.
[[nodiscard]] std::vector<Edit> replace_entry(const SourceSet& sources, Node amount,
                                              std::string_view successor) {
  if (amount.parent().get(successor)) return remove_entry(sources, amount);
  const Node list = amount.parent().parent();
  constexpr auto most_items = 256U;
  if (list.is_sequence() && list.size() > most_items) return {};
  const std::vector<Node> items = list.items();
  const bool taken =
      std::ranges::any_of(items, [&](Node item) { return bool(item.get(successor)); });
  return taken ? std::vector<Edit>{} : replace_string(sources, amount.key(), successor);
}

/// Of `limits.…` in a quota: the entry below `requests.`, the only one that a quota enforces.
[[nodiscard]] Node enforced_twin(Node amount, std::string_view prefix, std::string_view successor) {
  if (prefix != "limits.") return {};
  for (const std::string_view name : {alpha_resource, successor}) {
    const Node twin = amount.parent().get(fmt::format("requests.{}", name));
    if (twin) return twin;
  }
  return {};
}

void report_entry(const Corpus& corpus, Reporter& reporter, const Deprecation& fact, Node amount,
                  std::string_view prefix) {
  const std::string successor = std::string(prefix) + std::string(fact.replacement);
  const Node number = amount.resolved();
  const std::string value = number.is_scalar() ? fmt::format(": {}", number.text()) : "";
  Finding finding = reporter.report_key(amount, "no node has offered `{}{}` since Kubernetes {}",
                                        amount.key().text(), value, fact.removed_in);
  if (const Node twin = enforced_twin(amount, prefix, fact.replacement)) {
    finding.related(twin.key(), "a quota enforces only this entry")
        .fix(Safety::safe, "remove the entry", remove_entry(*corpus.sources, amount));
    return;
  }
  const Node present = amount.parent().get(successor);
  if (present) finding.related(present.key(), "its replacement is set here");
  std::vector<Edit> edits = replace_entry(*corpus.sources, amount, successor);
  if (edits.empty()) finding.help("remove the resource, or rename it to `{}`", successor);
  const Node request =
      amount.parent().key().text() == "limits" ? twin_in(amount, "requests") : Node{};
  if (request && request != amount) {
    finding.related(request.key(), "the request of the same resource");
    std::ranges::copy(replace_entry(*corpus.sources, request, successor),
                      std::back_inserter(edits));
  }
  finding.fix(Safety::safe,
              present ? "remove it, because its replacement is set"
                      : fmt::format("rename to `{}`", successor),
              std::move(edits));
}

void check_amounts(const Corpus& corpus, Reporter& reporter, const Deprecation& fact,
                   Node mapping) {
  for (const std::string_view prefix : prefixes) {
    const std::string name = std::string(prefix) + std::string(alpha_resource);
    Node amount;  // of the last of equal keys, which takes effect
    for (const auto& [key, value] : mapping.entries()) {
      if (key.text() == name) amount = value;
    }
    if (amount && !is_passed_over(amount)) report_entry(corpus, reporter, fact, amount, prefix);
  }
}

void check_resource(const Corpus& corpus, Reporter& reporter, const Deprecation& fact, Node root) {
  walk(root, [&](Node node) {
    if (node.is_mapping()) check_amounts(corpus, reporter, fact, node);
    // A taint may have any key, so tolerations and taints (`key: …`) are left alone.
    const bool is_value = node.is_scalar() && (node.key() || node.parent().is_sequence());
    if (is_value && node.text() == alpha_resource && node.key().text() != "key") {
      reporter
          .report(node, "no node has offered `{}` since Kubernetes {}", node.text(),
                  fact.removed_in)
          .fix(Safety::safe, fmt::format("write `{}`", fact.replacement),
               replace_string(*corpus.sources, node, fact.replacement));
    }
  });
}

/// The resource's name is the beginning of the label's.
void check_names(const Corpus& corpus, Reporter& reporter) {
  const Deprecation* fact =
      find_removed(*corpus.settings, DeprecationKind::resource, alpha_resource);
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

Finding report_gate(Reporter& reporter, const Deprecation& fact, Span where, Node context) {
  return reporter
      .report_span(where, context, "feature gate `{}` was removed in Kubernetes 1.{}", fact.name,
                   fact.removed_minor)
      .help("remove the gate, because a component that sets it does not start; replacement: {}",
            fact.replacement);
}

void check_gate_flags(const Corpus& corpus, Reporter& reporter, Node root) {
  const auto check_item = [&](const FlagUse& use, const std::vector<Span>& items, std::size_t i,
                              std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    const Deprecation* fact =
        find_removed(*corpus.settings, DeprecationKind::feature_gate, text.substr(0, equals));
    if (fact == nullptr) return;
    report_gate(reporter, *fact, items[i], use.scalar)
        .fix(Safety::safe, "remove the gate", remove_flag_item(*corpus.sources, use, items, i));
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
      const Deprecation* fact =
          find_removed(*corpus.settings, DeprecationKind::feature_gate, key.text());
      if (fact == nullptr) continue;
      report_gate(reporter, *fact, key.span(), value)
          .fix(Safety::safe, "remove the gate",
               remove_entry(*corpus.sources, node.size() == 1 ? node : value));
    }
  });
}

void check_gates(const Corpus& corpus, Reporter& reporter) {
  std::set<const Document*> documents;
  for (const std::string_view name : gate_settings) {
    for (const Document* document : documents_with(corpus, name)) documents.insert(document);
  }
  for (const Document* document : documents) {
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
