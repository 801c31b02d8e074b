#include "compiler/engine/rule.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/field.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"
#include "rules/unknown-gpu-label/meant.h"

namespace gpulint::rules::unknown_gpu_label {
namespace {

/// The types that a family of EC2 has, where the value of a label of instance types is none of them
/// and the family is one of machines with GPUs: `p4d.24xlarge` for `p4d.12xlarge`. Empty: the type
/// is known, or its family is not.
[[nodiscard]] std::string types_of_family(std::string_view key, std::string_view value) {
  const std::size_t dot = value.find('.');
  if (!key.ends_with("kubernetes.io/instance-type") || dot == value.npos) return {};
  if (find_machine(value) != nullptr) return {};
  const std::vector<const Machine*> family = machines_of_family(value.substr(0, dot));
  const bool has_gpus = std::ranges::any_of(
      family, [](const Machine* machine) { return !machine->accelerators.empty(); });
  if (!has_gpus) return {};
  std::vector<std::string_view> types;
  for (const Machine* machine : family) types.push_back(machine->type);
  return fmt::format("`{}`", fmt::join(types, "`, `"));
}

/// Says that there is no such type, and which there are.
void report_type(Reporter& reporter, const Field<std::string>& value, std::string_view types) {
  reporter.report(value.node(), "no instance type `{}` is known", value.value())
      .help("its family has {}", types);
}

/// Whether something among the inputs gives nodes the label, with the value unless that is empty.
[[nodiscard]] bool is_carried(const Corpus& corpus, const std::string& key,
                              const std::string& value) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return std::ranges::any_of(pool.labels, [&](const PoolLabel& label) {
      if (label.key != key) return false;
      return value.empty() || std::ranges::find(label.values, value) != label.values.end();
    });
  });
}

class Check {
 public:
  Check(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter)
      : corpus_(corpus), found_(found), reporter_(reporter) {}

  void check(const PodSpec& pod) {
    requests_gpu_ = requests_gpu(pod);
    for (const LabelEntry& label : pod.node_selector) {
      check_key(label.key.value, label.key.node);
      check_value(label.key.value, label.key.node, label.value);
    }
    for (const SelectorTerm& term : pod.node_affinity.required) {
      for (const SelectorRequirement& requirement : term.expressions) check(requirement);
    }
  }

 private:
  /// Of several values one that nodes have is enough.
  void check(const SelectorRequirement& requirement) {
    const bool keeps_off = requirement.op.equals("NotIn") || requirement.op.equals("DoesNotExist");
    if (!requirement.key.is_known() || keeps_off) return;
    const std::string& key = requirement.key.value();
    check_key(key, requirement.key.node());
    const auto is_wrong = [&](const Field<std::string>& value) {
      return value.is_known() && (!meant_value(key, value.value()).empty() ||
                                  !types_of_family(key, value.value()).empty());
    };
    if (!requirement.op.equals("In") || !std::ranges::all_of(requirement.values, is_wrong)) return;
    for (const Field<std::string>& value : requirement.values) {
      check_value(key, requirement.key.node(), value);
    }
  }

  void check_key(const std::string& key, Node where) {
    std::string meant = meant_label(key);
    if (meant.empty() && requests_gpu_) meant = meant_standard_label(key);
    if (meant.empty()) meant = meant_on_auto_mode(corpus_.cluster, key);
    if (meant.empty() || !where || is_told(found_, where) || is_carried(corpus_, key, {})) return;
    reporter_.report(where, "no provider and no operator labels nodes with `{}`", key)
        .help("the label is `{}`", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, where, meant));
  }

  void check_value(const std::string& key, Node key_node, const Field<std::string>& value) {
    if (!value.is_known() || !value.node() || fits_nowhere(key_node)) return;
    check_type(key, value);
    const std::string meant = meant_value(key, value.value());
    if (meant.empty() || is_settled(key, value)) return;
    reporter_.report(value.node(), "no GPU is called `{}` by `{}`", value.value(), key)
        .help("such nodes carry `{}`", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, value.node(), meant));
  }

  /// no-node-fits points at the key of a value that no node has.
  [[nodiscard]] bool fits_nowhere(Node key) const {
    return key && std::ranges::any_of(found_, [&](const Diagnostic& finding) {
             return finding.rule->id == "no-node-fits" && finding.span == key.span();
           });
  }

  [[nodiscard]] bool is_settled(const std::string& key, const Field<std::string>& value) const {
    return is_told(found_, value.node()) || is_carried(corpus_, key, value.value());
  }

  void check_type(const std::string& key, const Field<std::string>& value) {
    const std::string types = types_of_family(key, value.value());
    if (!types.empty() && !is_settled(key, value)) report_type(reporter_, value, types);
  }

  const Corpus& corpus_;
  std::span<const Diagnostic> found_;
  Reporter& reporter_;
  bool requests_gpu_ = false;
};

void check_rest(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  Check check(corpus, found, reporter);
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) check.check(workload.pod);
  }
  check_pool_labels(corpus, found, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check_rest = check_rest};

}  // namespace gpulint::rules::unknown_gpu_label
