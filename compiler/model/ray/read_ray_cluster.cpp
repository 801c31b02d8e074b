#include <algorithm>
#include <array>
#include <cmath>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/go_json.h"
#include "compiler/model/ray/ray_checks.h"
#include "compiler/model/ray/ray_cluster.h"
#include "compiler/model/ray/ray_resources.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

using RayProblemKind = RayProblem::Kind;
using State = RayFlag::State;

/// Accelerators that Ray counts as custom resources.
struct CustomResource {
  std::string_view limit;
  std::string_view ray_name;
};
constexpr CustomResource custom_resources[] = {{"aws.amazon.com/neuroncore", "neuron_cores"},
                                               {"google.com/tpu", "TPU"}};

[[nodiscard]] const CustomResource* find_custom(std::string_view limit) {
  const auto* found = std::ranges::find(custom_resources, limit, &CustomResource::limit);
  return found == std::end(custom_resources) ? nullptr : found;
}

/// A parameter for the command line.
struct Param {
  std::string value;
  Node node;
  bool opaque = false;
};
using Params = std::map<std::string, Param>;

[[nodiscard]] double to_double(const Quantity& quantity) {
  if (quantity.is_whole()) return static_cast<double>(quantity.value());
  return static_cast<double>(quantity.milli_value()) / 1000.0;
}

/// Derives what one group passes to `ray start` (KubeRay's common/pod.go).
class GroupDeriver {
 public:
  GroupDeriver(RayGroup& group, std::vector<RayProblem>& problems)
      : group_(group), problems_(problems) {}

  void derive();

 private:
  void read_params();
  void apply_group_resources();
  void apply_group_resource(const JsonMember& member, std::map<std::string, double>& custom);
  void derive_cpu_and_memory(const Container& ray);
  void list_accelerators(const Container& ray);
  void derive_accelerators();
  void report_uncounted(const Param& resources);
  void add_custom(const ResourceEntry& limit, const CustomResource& custom, RayResources& resources,
                  bool& is_added);
  [[nodiscard]] RayFlag flag(const std::string& name) const;

  RayGroup& group_;
  std::vector<RayProblem>& problems_;
  Params params_;
};

void GroupDeriver::derive() {
  read_params();
  apply_group_resources();
  for (const Container& container : group_.pod.containers) {
    if (!group_.container || container.node != group_.container) continue;
    derive_cpu_and_memory(container);
    list_accelerators(container);
    if (!container.resources.limits.empty()) derive_accelerators();
  }
  group_.num_gpus = flag("num-gpus");
  group_.num_cpus = flag("num-cpus");
  group_.memory = flag("memory");
  group_.resources = flag("resources");
}

void GroupDeriver::read_params() {
  for (const JsonMember& member : decode_object(group_.params_node)) {
    const Field<std::string> value = decode_string(member.value);
    if (member.opaque_key || value.is_absent()) continue;
    group_.params[member.key] = value;
    params_[member.key] = {value.value_or(""), member.value, value.is_opaque()};
  }
}

void GroupDeriver::apply_group_resources() {
  std::map<std::string, double> custom;
  for (const JsonMember& member : decode_object(group_.resources_node)) {
    if (!member.opaque_key) apply_group_resource(member, custom);
  }
  if (!custom.empty()) {
    params_["resources"] = {format_ray_resources(custom), group_.resources_node};
  }
}

void GroupDeriver::apply_group_resource(const JsonMember& member,
                                        std::map<std::string, double>& custom) {
  const Field<std::string> text = decode_string(member.value);
  const auto amount = text.is_known() ? Quantity::parse(text.value()) : std::nullopt;
  if (text.is_known() && !amount) {
    problems_.push_back(
        {RayProblemKind::unreadable_amount, RayProblem::Stage::none, member.value, {}});
  }
  if (!amount && !text.is_opaque()) return;
  const std::string name = to_lower(member.key);
  const std::string flag_name = name == "cpu"      ? "num-cpus"
                                : name == "memory" ? "memory"
                                : is_ray_gpu(name) ? "num-gpus"
                                                   : "";
  if (flag_name.empty()) {
    if (amount) custom[member.key] = to_double(*amount);
  } else if (amount) {
    params_[flag_name] = {std::to_string(amount->value()), member.value};
  } else {
    params_[flag_name] = {"", member.value, true};
  }
}

void GroupDeriver::derive_cpu_and_memory(const Container& ray) {
  const auto derive_from = [&](const char* param, const ResourceEntry* entry) {
    if (entry == nullptr || params_.contains(param)) return;
    if (entry->amount.is_opaque()) params_[param] = {"", entry->name.node, true};
    if (!entry->amount.is_known() || entry->amount.value().is_zero()) return;
    params_[param] = {std::to_string(entry->amount.value().value()), entry->name.node};
  };
  derive_from("num-cpus", find_entry(ray.resources.limits, "cpu"));
  derive_from("num-cpus", find_entry(ray.resources.requests, "cpu"));
  derive_from("memory", find_entry(ray.resources.limits, "memory"));
}

void GroupDeriver::list_accelerators(const Container& ray) {
  std::vector<ResourceEntry> limits = ray.resources.limits;
  std::ranges::sort(limits, {}, [](const ResourceEntry& entry) { return entry.name.value; });
  for (const ResourceEntry& limit : limits) {
    const bool is_accelerator = is_ray_gpu(limit.name.value) || is_gpu_resource(limit.name.value);
    if (is_accelerator && !limit.amount.is_absent()) group_.accelerators.push_back({limit});
  }
}

void GroupDeriver::derive_accelerators() {
  RayResources resources;
  bool is_open = false;
  if (const auto written = params_.find("resources"); written != params_.end()) {
    is_open = written->second.opaque;
    if (!is_open) resources = parse_ray_resources(written->second.value);
  }
  group_.resources_unreadable = resources.state == RayResources::State::invalid;
  if (group_.resources_unreadable) return report_uncounted(params_["resources"]);
  bool is_added =
      is_open || std::ranges::any_of(custom_resources, [&](const CustomResource& known) {
        return resources.amounts.contains(std::string(known.ray_name));
      });
  for (RayAccelerator& accelerator : group_.accelerators) {
    const ResourceEntry& limit = accelerator.limit;
    const bool is_zero = limit.amount.is_known() && limit.amount.value().is_zero();
    if (is_zero || limit.amount.is_mistyped()) continue;
    if (is_ray_gpu(limit.name.value) && !params_.contains("num-gpus")) {
      accelerator.counted = true;
      const bool is_known = limit.amount.is_known();
      params_["num-gpus"] = {is_known ? std::to_string(limit.amount.value().value()) : "",
                             limit.name.node, !is_known};
    }
    const CustomResource* custom = find_custom(limit.name.value);
    if (custom == nullptr || is_added) continue;
    accelerator.counted = true;
    add_custom(limit, *custom, resources, is_added);
  }
}

/// With an unreadable `resources` nothing is derived; explicit parameters still apply.
void GroupDeriver::report_uncounted(const Param& resources) {
  bool is_lost = false;
  for (RayAccelerator& accelerator : group_.accelerators) {
    const ResourceEntry& limit = accelerator.limit;
    const CustomResource* custom = find_custom(limit.name.value);
    if (custom != nullptr && resources.value.find(custom->ray_name) != std::string::npos) {
      accelerator.counted = true;
    }
    const bool is_zero = limit.amount.is_known() && limit.amount.value().is_zero();
    const bool is_missed = (custom != nullptr && !accelerator.counted) ||
                           (is_ray_gpu(limit.name.value) && !params_.contains("num-gpus"));
    is_lost = is_lost || (is_missed && !is_zero);
  }
  if (is_lost)
    problems_.push_back(
        {RayProblemKind::unreadable_resources, RayProblem::Stage::none, resources.node, {}});
}

void GroupDeriver::add_custom(const ResourceEntry& limit, const CustomResource& custom,
                              RayResources& resources, bool& is_added) {
  is_added = true;
  if (resources.state == RayResources::State::null) {
    problems_.push_back(
        {RayProblemKind::null_resources, RayProblem::Stage::panic, params_["resources"].node, {}});
    return;
  }
  if (!limit.amount.is_known()) {
    params_["resources"] = {"", limit.name.node, true};
    return;
  }
  resources.amounts[std::string(custom.ray_name)] = to_double(limit.amount.value());
  params_["resources"] = {format_ray_resources(resources.amounts), limit.name.node};
}

RayFlag GroupDeriver::flag(const std::string& name) const {
  const auto found = params_.find(name);
  if (found == params_.end()) return {};
  const Param& param = found->second;
  if (param.opaque) return {State::opaque, {}, param.node};
  if (equal_fold(param.value, "false")) return {State::absent, {}, param.node};
  const bool is_bare = equal_fold(param.value, "true");
  return {is_bare ? State::bare : State::value, param.value, param.node};
}

[[nodiscard]] RayGroup read_group(Node node, bool is_head, std::vector<RayProblem>& problems) {
  RayGroup group{.is_head = is_head,
                 .name = is_head ? "headGroup" : decode_string(node.get("groupName")).value_or(""),
                 .node = node};
  group.params_node = node.get("rayStartParams");
  group.resources_node = node.get("resources");
  const Node pod = node.at("template", "spec");
  group.pod = read_pod_spec(pod);
  const std::vector<Node> containers = pod.get("containers").items();
  if (!containers.empty()) group.container = containers.front();
  GroupDeriver(group, problems).derive();
  return group;
}

/// The cluster's spec inside each kind of object; null if there is none.
[[nodiscard]] Node find_cluster_spec(Node object, std::string_view kind) {
  const Node spec = object.get("spec");
  if (kind == "RayCluster") return spec;
  if (kind == "RayJob") return spec.get("rayClusterSpec");
  if (kind == "RayService") return spec.get("rayClusterConfig");
  if (kind == "RayCronJob") return spec.at("jobTemplate", "rayClusterSpec");
  return {};
}

}  // namespace

RayProblem::Stage RayCluster::refused_at() const {
  RayProblem::Stage first = RayProblem::Stage::none;
  for (const RayProblem& problem : problems) {
    if (problem.stage == RayProblem::Stage::none) continue;
    if (first == RayProblem::Stage::none || problem.stage < first) first = problem.stage;
  }
  return first;
}

std::optional<RayCluster> read_ray_cluster(const KubernetesObject& object) {
  if (!object.api_version.is_known() || !object.kind.is_known()) return std::nullopt;
  if (!object.api_version.value().starts_with("ray.io/")) return std::nullopt;
  const Node spec = find_cluster_spec(object.node, object.kind.value());
  if (!spec.is_mapping()) return std::nullopt;
  RayCluster cluster{.object = object.node, .kind = object.kind.value(), .spec = spec};
  if (const Node head = spec.get("headGroupSpec"); head.is_mapping()) {
    cluster.groups.push_back(read_group(head, true, cluster.problems));
  }
  for (const Node worker : spec.get("workerGroupSpecs").items()) {
    if (!worker.is_mapping()) continue;
    cluster.groups.push_back(read_group(worker, false, cluster.problems));
  }
  check_ray_cluster(cluster);
  return cluster;
}

bool is_ray_gpu(std::string_view resource) {
  if (resource.ends_with("gpu")) return true;
  // nvidia\.com/mig-\d+g\.\d+gb$, anywhere in the name.
  constexpr std::string_view prefix = "nvidia.com/mig-";
  const auto take_digits = [](std::string_view& text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits > 0;
  };
  const std::size_t at = resource.rfind(prefix);
  if (at == std::string_view::npos) return false;
  std::string_view rest = resource.substr(at + prefix.size());
  if (!take_digits(rest) || !rest.starts_with("g.")) return false;
  rest.remove_prefix(2);
  return take_digits(rest) && rest == "gb";
}

RayImage classify_ray_image(std::string_view image) {
  for (const std::string_view registry : {"docker.io/", "index.docker.io/"}) {
    if (image.starts_with(registry)) image.remove_prefix(registry.size());
  }
  const std::size_t colon = image.find(':');
  const std::string_view name = image.substr(0, colon);
  const std::string_view tag = colon == std::string_view::npos ? "" : image.substr(colon + 1);
  if (!name.starts_with("rayproject/ray") || tag.find_first_of("@${<") != std::string_view::npos)
    return RayImage::unknown;
  static const RE2 cuda(R"((^|-)(gpu|cu\d+)($|[-.]))");
  if (RE2::PartialMatch(tag, cuda)) return RayImage::gpu;
  if (name == "rayproject/ray-ml") return tag.ends_with("-cpu") ? RayImage::cpu : RayImage::unknown;
  if (name != "rayproject/ray" || tag.ends_with("-tpu")) return RayImage::unknown;
  // `rayproject/ray` without a tag is `latest`, which is for CPUs.
  static const RE2 released(
      R"(|latest|nightly|\d+\.\d+\.\d+([.-].*)?|nightly-.*|latest-.*|[0-9a-f]{6}(-.*)?)");
  return RE2::FullMatch(tag, released) ? RayImage::cpu : RayImage::unknown;
}

}  // namespace gpulint
