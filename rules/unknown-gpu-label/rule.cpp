#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/gpu_resource.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"
#include "rules/unknown-gpu-label/meant.h"

namespace gpulint::rules::unknown_gpu_label {
namespace {

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

[[nodiscard]] std::vector<std::string> selected_keys(const PodSpec& pod) {
  std::vector<std::string> keys;
  for (const LabelEntry& label : pod.node_selector) keys.push_back(label.key.value);
  for (const SelectorTerm& term : pod.node_affinity.required) {
    for (const SelectorRequirement& requirement : term.expressions) {
      keys.push_back(requirement.key.value_or(""));
    }
  }
  return keys;
}

class Check {
 public:
  Check(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter)
      : corpus_(corpus), found_(found), reporter_(reporter) {}

  void check(const PodSpec& pod) {
    requests_gpu_ = requests_gpu(pod);
    for (const LabelEntry& label : pod.node_selector) {
      check_key(label.key.value, label.key.node);
      check_value(label.key.value, label.value);
    }
    for (const SelectorTerm& term : pod.node_affinity.required) {
      for (const SelectorRequirement& requirement : term.expressions) check(requirement);
    }
  }

  /// A label of a declared pool, unless a pod selects it by just that name.
  void check(const NodePool& pool, const std::set<std::string>& selected) {
    if (pool.source == NodePool::Source::node) return;
    for (const PoolLabel& label : pool.labels) {
      if (label.known != PoolLabel::Known::exact || selected.contains(label.key)) continue;
      const std::string meant = meant_label(label.key);
      const Node key = label.node;
      if (meant.empty() || !key || key.text() != label.key || is_told(key)) continue;
      reporter_
          .report(key, "no provider, operator or pod knows the label `{}` of {}", label.key,
                  describe(pool))
          .help("the label is `{}`", meant)
          .fix(Safety::unsafe, fmt::format("write `{}`", meant),
               replace_string(*corpus_.sources, key, meant));
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
      return value.is_known() && !meant_value(key, value.value()).empty();
    };
    if (!requirement.op.equals("In") || !std::ranges::all_of(requirement.values, is_wrong)) return;
    for (const Field<std::string>& value : requirement.values) check_value(key, value);
  }

  void check_key(const std::string& key, Node where) {
    std::string meant = meant_label(key);
    if (meant.empty() && requests_gpu_) meant = meant_standard_label(key);
    if (meant.empty()) meant = meant_on_auto_mode(key);
    if (meant.empty() || !where || is_told(where) || is_carried(corpus_, key, {})) return;
    reporter_.report(where, "no provider and no operator labels nodes with `{}`", key)
        .help("the label is `{}`", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, where, meant));
  }

  void check_value(const std::string& key, const Field<std::string>& value) {
    if (!value.is_known() || !value.node()) return;
    const std::string meant = meant_value(key, value.value());
    if (meant.empty() || is_told(value.node()) || is_carried(corpus_, key, value.value())) return;
    reporter_.report(value.node(), "no GPU is called `{}` by `{}`", value.value(), key)
        .help("such nodes carry `{}`", meant)
        .fix(Safety::unsafe, fmt::format("write `{}`", meant),
             replace_string(*corpus_.sources, value.node(), meant));
  }

  /// EKS Auto Mode has `eks.amazonaws.com/…` where Karpenter on AWS has `karpenter.k8s.aws/…`.
  [[nodiscard]] std::string meant_on_auto_mode(std::string_view key) const {
    constexpr std::string_view karpenters = "karpenter.k8s.aws/";
    if (!key.starts_with(karpenters)) return {};
    bool has_any = false;
    for (const NodePool& pool : corpus_.cluster.pools) {
      if (pool.karpenter == nullptr) continue;
      const Node reference = pool.node.at("spec", "template", "spec", "nodeClassRef");
      if (!read_string(reference, "group").equals("eks.amazonaws.com")) return {};
      has_any = true;
    }
    return has_any ? fmt::format("eks.amazonaws.com/{}", key.substr(karpenters.size()))
                   : std::string{};
  }

  /// By a rule that knows the nodes, or what the label has become.
  [[nodiscard]] bool is_told(Node where) const {
    const Span span = where.span();
    return std::ranges::any_of(found_, [&](const Diagnostic& finding) {
      return finding.span.file == span.file && finding.span.begin < span.end + 1 &&
             span.begin < finding.span.end + 1;
    });
  }

  const Corpus& corpus_;
  std::span<const Diagnostic> found_;
  Reporter& reporter_;
  bool requests_gpu_ = false;
};

void check_rest(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  Check check(corpus, found, reporter);
  std::set<std::string> selected;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      check.check(workload.pod);
      std::ranges::copy(selected_keys(workload.pod), std::inserter(selected, selected.end()));
    }
  }
  for (const NodePool& pool : corpus.cluster.pools) check.check(pool, selected);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unknown-gpu-label",
             .category = "placement",
             .summary = "A pod selects a GPU label, or a value of one, that no node has ever had.",
             .severity = Severity::warning,
             .fix = FixAvailability::unsafe},
    .check = nullptr,
    .check_rest = check_rest};

}  // namespace gpulint::rules::unknown_gpu_label
