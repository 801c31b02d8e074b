#include "rules/support/ray_queries.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/go_json.h"
#include "compiler/model/quantity.h"
#include "rules/support/indefinite_article.h"
#include "rules/support/queries.h"

namespace gpulint::rules {

std::vector<RayCluster> all_ray_clusters(const Corpus& corpus) {
  std::vector<RayCluster> clusters;
  for (const KubernetesObject& object : corpus.objects) {
    if (auto cluster = read_ray_cluster(object)) clusters.push_back(std::move(*cluster));
  }
  return clusters;
}

bool has_accelerators(const RayCluster& cluster) {
  return std::ranges::any_of(cluster.groups,
                             [](const RayGroup& group) { return !group.accelerators.empty(); });
}

const RayAccelerator* find_ray_gpu(const RayGroup& group) {
  using Kind = GpuResource::Kind;
  const auto is_gpu = [](const RayAccelerator& accelerator) {
    const std::string_view name = accelerator.limit.name.value;
    const Field<Quantity>& amount = accelerator.limit.amount;
    if (!amount.is_known() || amount.value().is_zero() || is_no_gpu_to_ray(name)) return false;
    const Kind kind = classify_resource(name).kind;
    return is_ray_gpu(name) || kind == Kind::device || kind == Kind::mig;
  };
  const auto at = std::ranges::find_if(group.accelerators, is_gpu);
  return at == group.accelerators.end() ? nullptr : &*at;
}

bool has_autoscaler(const RayCluster& cluster) {
  return decode_bool(cluster.spec.get("enableInTreeAutoscaling")).value_or(false);
}

bool is_autoscaled(const RayCluster& cluster, const RayGroup& group) {
  if (!has_autoscaler(cluster)) return false;
  const auto least = decode_int(group.node.get("minReplicas"));
  const auto most = decode_int(group.node.get("maxReplicas"));
  const bool is_fixed = most.is_known() && most.value() <= least.value_or(0);
  return !group.is_head && !group.resources_node && !is_fixed && !least.is_opaque() &&
         !most.is_opaque();
}

std::string_view refuser(RayProblem::Stage stage) {
  return stage == RayProblem::Stage::crd ? "the API server" : "KubeRay";
}

std::string describe(const RayProblem& problem) {
  using Kind = RayProblem::Kind;
  const Node at = problem.node;
  const std::string_view key = at.key() ? at.key().text() : at.text();
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_string:
      return fmt::format("`{}` must be a string", key);
    case Kind::mistyped:
      return fmt::format("`{}` must be {}", key, with_article(detail));
    case Kind::missing_field:
      return fmt::format("`{}` is missing", detail);
    case Kind::unknown_value:
      return fmt::format("`{}` is not a value of `{}`", at.text(), key);
    case Kind::invalid_quantity:
      return fmt::format("the schema does not accept the quantity `{}`", at.text());
    case Kind::pruned_field:
      return fmt::format("the field `{}` is unknown", key);
    case Kind::invalid_name:
      return fmt::format("`{}` is too long or not a valid name", at.text());
    case Kind::no_container:
      return "a group has no container";
    case Kind::resources_twice:
      return fmt::format("`{}` and the group's `resources` cannot both be set", key);
    case Kind::labels_parameter:
      return "`labels` is not a start parameter";
    case Kind::invalid_label:
      return fmt::format("`{}` is not a valid label", key);
    case Kind::invalid_replicas:
      return fmt::format("`{}: {}` is {}", key, at.text(),
                         at.text().starts_with('-') ? "negative" : "above `maxReplicas`");
    case Kind::needs_autoscaler_v2:
      return fmt::format("`{}` needs `autoscalerOptions.version: v2`", key);
    case Kind::old_ray_version:
      return fmt::format("`{}` needs Ray 2.56", key);
    case Kind::autoscaler_version_conflict:
      return "`RAY_enable_autoscaler_v2` requires `enableInTreeAutoscaling: true` and cannot be "
             "set with `autoscalerOptions.version`";
    case Kind::restart_policy:
      return "autoscaler v2 requires `restartPolicy: Never`";
    case Kind::suspended_group:
      return "a group cannot be suspended while the autoscaler runs";
    case Kind::null_resources:
      return "`resources` is JSON null, which crashes the operator";
    case Kind::unreadable_resources:
      return "`resources` is not a JSON map of numbers";
    case Kind::unreadable_amount:
      return fmt::format("`{}` is not a quantity", at.text());
  }
  return {};
}

bool is_told_elsewhere(const RayProblem& problem) {
  if (problem.kind == RayProblem::Kind::not_a_string && problem.detail == "nodeSelector") {
    return true;  // as of any pod: non-string-value
  }
  if (problem.kind != RayProblem::Kind::invalid_quantity) return false;
  const auto quantity = Quantity::parse(problem.node.text());
  return !quantity || !quantity->is_whole() || quantity->is_negative();
}

bool is_no_gpu_to_ray(std::string_view resource) {
  constexpr std::array<std::string_view, 5> marks{"tpu", "neuron", "habana.ai/", "huawei.com/",
                                                  "rebellions.ai/"};
  return std::ranges::any_of(
      marks, [&](std::string_view mark) { return resource.find(mark) != std::string_view::npos; });
}

std::optional<std::int64_t> parse_ray_count(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return count;
}

}  // namespace gpulint::rules
