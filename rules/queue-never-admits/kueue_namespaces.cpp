#include "rules/queue-never-admits/kueue_namespaces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint::rules::queue_never_admits {
namespace {

/// The label that Kubernetes gives each namespace.
constexpr std::string_view name_label = "kubernetes.io/metadata.name";

/// What is known of a namespace's labels.
struct NamespaceLabels {
  std::string name;
  Node labels;            ///< Nothing where it has none, or is not given.
  bool is_given = false;  ///< There is an object of that name.
};

/// The Namespaces of a scope by name.
class Namespaces {
 public:
  explicit Namespaces(const Corpus& corpus) {
    for (const KubernetesObject& object : corpus.objects) {
      if (!object.kind.equals("Namespace")) continue;
      const Node metadata = object.node.get("metadata");
      const Field<std::string> name = read_string(metadata, "name");
      has_open_names_ = has_open_names_ || !name.is_known();
      if (name.is_known()) labels_[name.value()].push_back(metadata.get("labels"));
    }
  }

  /// Nothing where the labels are open.
  [[nodiscard]] std::optional<NamespaceLabels> find(const std::string& name) const {
    if (has_open_names_) return std::nullopt;
    const auto found = labels_.find(name);
    if (found == labels_.end()) return NamespaceLabels{.name = name, .labels = {}};
    if (found->second.size() > 1) return std::nullopt;  // which of them is in force?
    const Node labels = found->second.front();
    if (any_below(labels, [](Node at) { return at.is_opaque(); })) return std::nullopt;
    return NamespaceLabels{.name = name, .labels = labels, .is_given = true};
  }

 private:
  std::map<std::string, std::vector<Node>> labels_;
  bool has_open_names_ = false;
};

/// A demand of the selector that the namespace does not meet.
struct Unmet {
  Node where;
  std::string key;
  bool is_certain = false;  ///< The label is there, with another value.
};

[[nodiscard]] bool contains(const SelectorRequirement& requirement, const std::string& value) {
  return std::ranges::any_of(requirement.values, [&](const Field<std::string>& each) {
    return !each.is_known() || each.value() == value;
  });
}

[[nodiscard]] std::optional<Unmet> find_unmet(const SelectorRequirement& requirement,
                                              const NamespaceLabels& space) {
  if (!requirement.key.is_known() || !requirement.op.is_known()) return std::nullopt;
  const std::string& key = requirement.key.value();
  const std::string& op = requirement.op.value();
  const bool is_name = key == name_label;
  const Node label = space.labels.get(key);
  if (!is_name && !label) {  // somebody may have labelled it since
    const bool wants_one = space.is_given && (op == "In" || op == "Exists");
    return wants_one ? std::optional(Unmet{requirement.node, key}) : std::nullopt;
  }
  const std::string value = is_name ? space.name : std::string(label.text());
  const bool is_unmet = (op == "In" && !contains(requirement, value)) ||
                        (op == "NotIn" && contains(requirement, value)) || op == "DoesNotExist";
  return is_unmet ? std::optional(Unmet{requirement.node, key, true}) : std::nullopt;
}

[[nodiscard]] std::optional<Unmet> find_unmet(Node selector, const NamespaceLabels& space) {
  std::vector<SelectorRequirement> all =
      read_selector_requirements(selector.get("matchExpressions"));
  for (const LabelEntry& label : read_string_map(selector.get("matchLabels"))) {
    if (!label.value.is_known()) continue;
    all.push_back({.node = label.value.node(),
                   .key = Field<std::string>::known(label.key.value),
                   .op = Field<std::string>::known("In"),
                   .values = {label.value}});
  }
  std::optional<Unmet> found;
  for (const SelectorRequirement& requirement : all) {
    const std::optional<Unmet> unmet = find_unmet(requirement, space);
    if (unmet && (!found || unmet->is_certain)) found = unmet;
  }
  return found;
}

void check_selector(const Namespaces& namespaces, Reporter& reporter, const ClusterQueue& queue,
                    const LocalQueue& local) {
  const Node selector = queue.object.at("spec", "namespaceSelector");
  if (!local.name_space.is_known() || !selector.is_mapping()) return;
  const auto space = namespaces.find(local.name_space.value());
  const auto unmet = space ? find_unmet(selector, *space) : std::nullopt;
  if (!unmet) return;
  const Node label = space->labels.get(unmet->key);
  Finding finding = reporter.report(
      unmet->where, "ClusterQueue `{}` takes nothing from namespace `{}`, where LocalQueue `{}` is",
      queue.name, space->name, local.name);
  finding.related(label ? label : local.name_space.node(), label ? "the label there" : "there")
      .help("Kueue lets nothing in from that queue: the label `{}` decides", unmet->key);
  if (!unmet->is_certain) finding.severity(Severity::warning);
}

}  // namespace

void check_kueue_namespaces(const Corpus& corpus, const KueueObjects& kueue, Reporter& reporter) {
  const Namespaces namespaces(corpus);
  std::set<const ClusterQueue*> told;
  for (const LocalQueue& local : kueue.local_queues) {
    const ClusterQueue* const queue = local.cluster_queue.is_known()
                                          ? kueue.find_cluster_queue(local.cluster_queue.value())
                                          : nullptr;
    if (queue == nullptr || told.contains(queue)) continue;
    const Node spec = queue->object.get("spec");
    const Node selector = spec.get("namespaceSelector");
    if (spec.is_mapping() && (!selector || selector.is_null())) {
      told.insert(queue);
      reporter
          .report(queue->object.at("metadata", "name"),
                  "ClusterQueue `{}` has no `namespaceSelector`, so that it takes workloads of no "
                  "namespace",
                  queue->name)
          .related(local.cluster_queue.node(), "a queue that leads to it")
          .help("`namespaceSelector: {{}}` selects all namespaces");
      continue;
    }
    check_selector(namespaces, reporter, *queue, local);
  }
}

}  // namespace gpulint::rules::queue_never_admits
