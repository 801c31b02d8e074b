#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "rules/gpu-count-in-command/process_flags.h"
#include "rules/support/dra_queries.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// The number of whole devices of a container, each for one process.
struct GivenDevices {
  std::int64_t amount = 0;
  std::int64_t most = 0;  ///< Processes with a device each: most_processes().
  std::string what;       ///< `nvidia.com/gpu`; devices of a claim.
  Node node;              ///< Where the number is written.
  std::string_view noun;  ///< Of one device: device_noun().
};

/// The InferenceServices whose runtime is among the workloads. KServe appends the arguments of the
/// service to those of the runtime and overrides the runtime's amounts
/// (kserve pkg/controller/v1beta1/inferenceservice/utils, MergeRuntimeContainers).
class RuntimeUses {
 public:
  explicit RuntimeUses(const std::vector<Workload>& workloads);

  /// Whether the workload is a runtime that an InferenceService uses.
  [[nodiscard]] bool is_used(const Workload& workload) const;
  /// Whether the service takes the container from its runtime.
  [[nodiscard]] bool is_of_runtime(const Workload& service, const Container& container) const;
  /// Compares the flags of runtimes with the devices of the services that use them, each flag once.
  void check(const Corpus& corpus, Reporter& reporter) const;

 private:
  struct Use {
    const Workload* service = nullptr;
    const Workload* runtime = nullptr;
  };
  std::vector<Use> uses_;
};

/// The number of GPUs that a model needs.
struct Spread {
  std::int64_t count = 0;
  Node node;
};

/// A number that may be written as a string.
[[nodiscard]] std::optional<Spread> read_spread(Node node) {
  const std::string_view text = node.is_scalar() ? node.text() : std::string_view{};
  const bool is_number = !text.empty() && text.size() < 4 &&
                         text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) return std::nullopt;
  return Spread{std::stoll(std::string(text)), node};
}

[[nodiscard]] std::optional<Spread> spread_of_cache(const Corpus& corpus, const Workload& service,
                                                    Node spec) {
  const Field<std::string> name = read_string(spec.at("storage", "nimCache"), "name");
  if (!name.is_known() || spec.at("storage", "nimCache", "profile")) return std::nullopt;
  for (const KubernetesObject& object : corpus.objects) {
    const Node metadata = object.node.get("metadata");
    const Field<std::string> space = read_string(metadata, "namespace");
    const bool is_named = object.kind.equals("NIMCache") &&
                          read_string(metadata, "name").equals(name.value()) &&
                          (!space.is_known() || space.value() == service.name_space);
    if (!is_named) continue;
    const Node model = object.node.at("spec", "source", "ngc", "model");
    return read_spread(model.get("tensorParallelism"));
  }
  return std::nullopt;
}

/// The number after `part` in the name of a profile, such as 4 after `-tp` in
/// `tensorrt_llm-h100-fp8-tp4-pp1-latency`; 1 if there is none.
[[nodiscard]] std::int64_t part_of_profile(std::string_view profile, std::string_view part) {
  constexpr std::string_view digits = "0123456789";
  for (std::size_t at = profile.find(part); at != profile.npos; at = profile.find(part, at + 1)) {
    const std::size_t begin = at + part.size();
    const std::size_t end = std::min(profile.find_first_not_of(digits, begin), profile.size());
    const bool is_whole = end == profile.size() || profile[end] == '-';
    if (end == begin || end > begin + 3 || !is_whole) continue;
    return std::stoll(std::string(profile.substr(begin, end - begin)));
  }
  return 1;
}

/// NVIDIA NIM for LLMs, "Configuring a NIM": `NIM_TENSOR_PARALLEL_SIZE`, or the name of a profile.
[[nodiscard]] std::optional<Spread> spread_of_environment(Node spec) {
  for (const Node variable : spec.get("env").items()) {
    const Node value = variable.get("value");
    const Field<std::string> name = read_string(variable, "name");
    if (name.equals("NIM_TENSOR_PARALLEL_SIZE")) return read_spread(value);
    if (!name.equals("NIM_MODEL_PROFILE") || !value.is_scalar() || value.is_opaque()) continue;
    const std::string_view profile = value.text();
    const std::int64_t count = part_of_profile(profile, "-tp") * part_of_profile(profile, "-pp");
    if (count > 1) return Spread{count, value};
  }
  return std::nullopt;
}

void check_service(const Corpus& corpus, const Workload& service, Reporter& reporter) {
  const Node spec = service.pod.node;
  if (spec.get("multiNode") || spec.get("draResources")) return;
  if (service.pod.containers.empty()) return;
  const ResourceEntry* const devices = find_devices(service.pod.containers.front());
  if (devices == nullptr) return;
  const auto by_environment = spread_of_environment(spec);
  const auto spread = by_environment ? by_environment : spread_of_cache(corpus, service, spec);
  const std::int64_t limit = devices->amount.value().value();
  if (!spread || spread->count <= limit) return;
  const std::string gpus = count_text(static_cast<std::size_t>(spread->count), "GPU");
  reporter
      .report(devices->name.node, "{} requests {} `{}`, but its model needs {}", describe(service),
              limit, devices->name.value, gpus)
      .related(spread->node, by_environment
                                 ? fmt::format("with this setting the model needs {}", gpus)
                                 : fmt::format("the cached model needs {}", gpus))
      .help("request {} `{}`, or use a profile for {}. Otherwise NIM finds no suitable profile",
            spread->count, devices->name.value, count_text(static_cast<std::size_t>(limit), "GPU"));
}

/// The processes that the container's command starts on all nodes of a group.
struct Processes {
  std::int64_t tensor = 1;
  std::int64_t pipeline = 1;
  FlagCount last;  ///< Its node is null if the command has no number.
};

[[nodiscard]] Processes count_processes(Node container) {
  Processes found;
  for (const FlagCount& given : find_flag_counts(container)) {
    const LaunchFlag* const known = find_launch_flag(given.flag);
    if (known == nullptr) continue;
    const bool is_tensor = known->counts == LaunchFlag::Counts::tensor;
    const bool is_pipeline = known->counts == LaunchFlag::Counts::pipeline;
    if (is_tensor) found.tensor = given.count;
    if (is_pipeline) found.pipeline = given.count;
    if (is_tensor || is_pipeline) found.last = given;
  }
  return found;
}

struct Devices {
  std::int64_t amount = 0;
  Node node;
};

/// The devices of the only container that requests any; nullopt if there are several or none.
[[nodiscard]] std::optional<Devices> devices_of(const Workload& workload) {
  std::optional<Devices> found;
  for (const Container& container : workload.pod.containers) {
    if (container.resources.opaque || !container.resources.claims.empty()) return std::nullopt;
    const ResourceEntry* const devices = find_devices(container);
    if (devices == nullptr) continue;
    if (found) return std::nullopt;
    found = Devices{most_processes(*devices, workload.pod), devices->name.node};
  }
  return found;
}

[[nodiscard]] const Workload* find_template(const std::vector<const Workload*>& set,
                                            std::string_view name) {
  const auto found = std::ranges::find_if(set, [&](const Workload* workload) {
    return workload->template_node.key() && workload->template_node.key().text() == name;
  });
  return found == set.end() ? nullptr : *found;
}

/// How to lower the flags of parallelism that are more than 1 to `most` processes.
[[nodiscard]] std::string lower_flags(const Processes& processes, std::int64_t most) {
  const std::string tensor = fmt::format("`--tensor-parallel-size {}`", processes.tensor);
  const std::string pipeline = fmt::format("`--pipeline-parallel-size {}`", processes.pipeline);
  if (processes.pipeline == 1) return fmt::format("lower {} to at most {}", tensor, most);
  if (processes.tensor == 1) return fmt::format("lower {} to at most {}", pipeline, most);
  return fmt::format("lower {} and {} to {} in total", tensor, pipeline, process_text(most));
}

void check_set(const Corpus& corpus, const std::vector<const Workload*>& set, Reporter& reporter) {
  const Workload* const worker = find_template(set, "workerTemplate");
  const Workload* const own = find_template(set, "leaderTemplate");
  const Workload* const leader = own != nullptr ? own : worker;
  if (worker == nullptr || leader == nullptr) return;
  const Node settings = worker->template_node.parent();
  const Field<std::int64_t> size = read_int(settings, "size");
  const auto of_leader = devices_of(*leader);
  const auto of_worker = devices_of(*worker);
  if (!of_leader || !of_worker || !(size.is_known() || size.is_absent())) return;
  const std::int64_t pods = size.value_or(1);
  const std::int64_t all = of_leader->amount + (pods - 1) * of_worker->amount;
  for (const Container& container : leader->pod.containers) {
    const Processes processes = count_processes(container.node);
    const std::int64_t wanted = processes.tensor * processes.pipeline;
    if (!processes.last.node || !has_word(container.node, "vllm") || wanted <= all) continue;
    const std::int64_t per_worker = std::max<std::int64_t>(of_worker->amount, 1);
    const std::int64_t needed = 1 + (wanted - of_leader->amount + per_worker - 1) / per_worker;
    Finding finding = reporter.report_span(
        place_of(*corpus.sources, processes.last), processes.last.node,
        "vLLM starts {}, but a group of {} has only {}", process_text(wanted),
        describe_object(*leader), count_text(static_cast<std::size_t>(all), "device"));
    if (size.is_known()) {
      finding.related(size.node(), fmt::format("a group has {}",
                                               count_text(static_cast<std::size_t>(pods), "pod")));
    }
    finding
        .related(of_leader->node,
                 fmt::format("the leader's pod has {}",
                             count_text(static_cast<std::size_t>(of_leader->amount), "device")))
        .help("set `size: {}`, or {}. Otherwise vLLM fails, because each process needs its own GPU",
              needed, lower_flags(processes, all));
  }
}

constexpr std::string_view claimed = "claimed devices";  // GivenDevices::what
/// NVIDIA/k8s-dra-driver-gpu v25.3, deviceclass-gpu.yaml: whole GPUs.
constexpr std::string_view whole_gpus = "gpu.nvidia.com";

/// The number of GPUs of one request; nullopt if alternatives or the nodes decide it.
[[nodiscard]] std::optional<std::int64_t> count_of(Node request) {
  const Node exactly = request.get("exactly");
  const Node at = exactly ? exactly : request;
  if (!read_string(at, "deviceClassName").equals(std::string(whole_gpus))) return std::nullopt;
  if (request.get("firstAvailable") || at.get("adminAccess")) return std::nullopt;
  const Field<std::string> mode = read_string(at, "allocationMode");
  if (!mode.is_absent() && !mode.equals("ExactCount")) return std::nullopt;
  const Field<std::int64_t> count = read_int(at, "count");
  if (!count.is_absent() && !count.is_known()) return std::nullopt;
  return count.value_or(1);
}

[[nodiscard]] std::optional<GivenDevices> devices_of_claim(Node use,
                                                           const KubernetesObject& object) {
  const Node spec = object.node.get("spec");
  const Node inner = object.kind.equals("ResourceClaimTemplate") ? spec.get("spec") : spec;
  const Field<std::string> wanted = read_string(use, "request");
  if (!wanted.is_absent() && !wanted.is_known()) return std::nullopt;
  GivenDevices found{0, 0, std::string(claimed), {}, "GPU"};
  for (const Node request : inner.at("devices", "requests").items()) {
    if (wanted.is_known() && !read_string(request, "name").equals(wanted.value())) continue;
    const auto count = count_of(request);
    if (!count) return std::nullopt;
    found.amount += *count;
    found.most = found.amount;
    const Node exactly = request.get("exactly");
    const Node written = (exactly ? exactly : request).get("count");
    if (!found.node) found.node = written ? written : request.get("name");
  }
  return found.node ? std::optional(found) : std::nullopt;
}

[[nodiscard]] const KubernetesObject* find_object(const PodSpec& pod, std::string_view name,
                                                  const ClaimIndex& claims) {
  for (const Node source : pod.node.get("resourceClaims").items()) {
    if (read_string(source, "name").equals(std::string(name))) return claims.find_source(source);
  }
  return nullptr;
}

/// The runtime's container that serves the model (kserve pkg/constants).
[[nodiscard]] const Container* find_server(const Workload& runtime) {
  const auto& containers = runtime.pod.containers;
  const auto found = std::ranges::find_if(containers, [](const Container& container) {
    return container.name.equals("kserve-container");
  });
  return found == containers.end() ? nullptr : &*found;
}

/// Whether it is a ServingRuntime or ClusterServingRuntime of KServe.
[[nodiscard]] bool is_serving_runtime(const Workload& workload) {
  return workload.kind.equals("ServingRuntime") || workload.kind.equals("ClusterServingRuntime");
}

/// The runtime of the service; one in the service's namespace comes first.
[[nodiscard]] const Workload* find_runtime(const std::vector<Workload>& workloads,
                                           const Workload& service) {
  const Node model = service.object.at("spec", "predictor", "model");
  const Field<std::string> name = read_string(model, "runtime");
  const Workload* found = nullptr;
  for (const Workload& workload : workloads) {
    if (!name.equals(workload.name) || !is_serving_runtime(workload)) continue;
    if (workload.role.starts_with("workerSpec")) return nullptr;  // of several nodes
    const bool is_near = workload.kind.equals("ServingRuntime");
    if (is_near && workload.name_space != service.name_space) continue;
    if (found == nullptr || is_near) found = &workload;
  }
  return found;
}

/// Reports NIMServices with fewer GPUs than their model needs. The number is `tensorParallelism` of
/// their NIMCache ("the minimum GPUs required for the model computations", NVIDIA/k8s-nim-operator
/// f63f74d7ad22, nimcache_types.go), or `NIM_TENSOR_PARALLEL_SIZE` or the name of a profile
/// (`NIM_MODEL_PROFILE`) in their environment. Services on several nodes, and claimed devices, are
/// not checked.
void check_nim(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    const bool is_nim = workload.kind.equals("NIMService") || workload.kind.equals("NIMPipeline");
    if (is_nim) check_service(corpus, workload, reporter);
  }
}

/// Reports a LeaderWorkerSet whose leader starts vLLM with more processes (tensor times pipeline
/// parallelism, each with its own GPU) than the `size` pods of a group have devices.
void check_worker_sets(const Corpus& corpus, Reporter& reporter) {
  std::vector<const Workload*> set;
  const auto end_set = [&] {
    if (!set.empty()) check_set(corpus, set, reporter);
    set.clear();
  };
  for (const Workload& workload : corpus.workloads) {
    if (!set.empty() && set.front()->object != workload.object) end_set();
    if (workload.kind.equals("LeaderWorkerSet")) set.push_back(&workload);
  }
  end_set();
}

/// The devices in the limits (find_devices), or in the claims alone; nullopt if they are unknown or
/// there are none. A claim counts if its object is in the scope and all its requests have an exact
/// number of GPUs of NVIDIA's class (resource.k8s.io: `ExactCount`, 1 by default).
[[nodiscard]] std::optional<GivenDevices> given_devices(const Container& container,
                                                        const PodSpec& pod,
                                                        const ClaimIndex& claims) {
  const ResourceRequirements& resources = container.resources;
  if (resources.claims.empty()) {
    const ResourceEntry* const limit = find_devices(container);
    if (limit == nullptr) return std::nullopt;
    return GivenDevices{limit->amount.value().value(), most_processes(*limit, pod),
                        "`" + limit->name.value + "`", limit->name.node,
                        device_noun(limit->name.value)};
  }
  const auto is_device = [](const ResourceEntry& entry) {
    return entry.name.value.find('/') != std::string::npos;
  };
  const bool is_mixed = std::ranges::any_of(resources.limits, is_device);
  if (resources.opaque || is_mixed || resources.claims.size() != 1) return std::nullopt;
  const std::vector<Node> uses = resources.node.get("claims").items();
  const KubernetesObject* const object = find_object(pod, resources.claims.front().value, claims);
  if (object == nullptr || uses.size() != 1) return std::nullopt;
  return devices_of_claim(uses.front(), *object);
}

RuntimeUses::RuntimeUses(const std::vector<Workload>& workloads) {
  for (const Workload& service : workloads) {
    if (!service.kind.equals("InferenceService") || service.role != "predictor") continue;
    const Workload* const runtime = find_runtime(workloads, service);
    if (runtime != nullptr && !service.pod.containers.empty()) uses_.push_back({&service, runtime});
  }
}

/// 4 `nvidia.com/gpu`; 1 device of a claim.
[[nodiscard]] std::string amount_of(const GivenDevices& devices, std::int64_t amount) {
  if (devices.what == claimed) return count_text(static_cast<std::size_t>(amount), "device");
  return fmt::format("{} {}", amount, devices.what);
}

/// request 4 `nvidia.com/gpu`; claim 1 device.
[[nodiscard]] std::string request_of(const GivenDevices& devices, std::int64_t amount) {
  return fmt::format("{} {}", devices.what == claimed ? "claim" : "request",
                     amount_of(devices, amount));
}

/// 4 GPUs, 1 TPU.
[[nodiscard]] std::string devices_text(std::int64_t count, std::string_view noun) {
  return count_text(static_cast<std::size_t>(count), noun);
}

/// The flags by which processes_of() multiplies: `` × `--data-parallel-size 4` ``.
[[nodiscard]] std::string factors_text(const Container& container) {
  std::string text;
  for (const FlagCount& each : find_flag_counts(container.node)) {
    const LaunchFlag* const known = find_launch_flag(each.flag);
    const bool is_factor = known != nullptr && each.count > 1 &&
                           (known->counts == LaunchFlag::Counts::pipeline ||
                            known->counts == LaunchFlag::Counts::data);
    if (is_factor) text += fmt::format(" × `{} {}`", each.flag, each.count);
  }
  return text;
}

/// Why too many processes fail: a TPU may have devices for several.
[[nodiscard]] std::string reason_of_failure(const GivenDevices& devices) {
  return devices.most == devices.amount ? fmt::format("each process needs its own {}", devices.noun)
                                        : fmt::format("one {} serves at most {} processes",
                                                      devices.noun, devices.most / devices.amount);
}

void check_container(const Corpus& corpus, Reporter& reporter, const ClaimIndex& claims,
                     const Workload& workload, const Container& container) {
  const auto devices = given_devices(container, workload.pod, claims);
  if (!devices) return;
  for (const FlagCount& given : find_flag_counts(container.node)) {
    const LaunchFlag* const known = find_count_flag(given, workload, container);
    if (known == nullptr) continue;
    const std::int64_t processes = processes_of(*known, given, container);
    const std::string_view requests = devices->what == claimed ? "claims" : "requests";
    if (processes > devices->most) {
      const std::int64_t needed = (processes * devices->amount + devices->most - 1) / devices->most;
      const bool is_alone = processes == given.count;
      Finding finding = reporter.report_span(
          place_of(*corpus.sources, given), given.node, "`{} {}`{} needs {}{}, but {} {} only {}",
          given.flag, given.count, is_alone ? std::string() : factors_text(container),
          devices->most == devices->amount ? "" : "at least ", devices_text(needed, devices->noun),
          describe_requester(workload, container), requests, devices->amount);
      finding
          .related(devices->node, fmt::format("{} {} only {}", describe_alone(container), requests,
                                              amount_of(*devices, devices->amount)))
          .help("{}, or {}. Otherwise the program fails, because {}", request_of(*devices, needed),
                is_alone ? fmt::format("set `{}` to {}{}", given.flag,
                                       devices->most == 1 ? "" : "at most ", devices->most)
                         : fmt::format("lower the product of the flags to {}", devices->most),
                reason_of_failure(*devices));
      if (is_serving_runtime(workload)) finding.severity(Severity::warning);  // may be overridden
    } else if (workload.origin != Workload::Origin::values && given.count < devices->amount &&
               leaves_devices_idle(*known, container)) {
      const std::int64_t idle = devices->amount - given.count;
      reporter
          .report_span(place_of(*corpus.sources, given), given.node,
                       "`{} {}` starts only {}, but {} {} {}", given.flag, given.count,
                       process_text(given.count), describe_requester(workload, container), requests,
                       devices_text(devices->amount, devices->noun))
          .related(devices->node, fmt::format("{} {} {}", describe_alone(container), requests,
                                              amount_of(*devices, devices->amount)))
          .severity(Severity::info)
          .help("set `{} {}`, or {}. Otherwise {} {} idle if each process uses one {}", given.flag,
                devices->amount, request_of(*devices, given.count),
                devices_text(idle, devices->noun), idle == 1 ? "stays" : "stay", devices->noun);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const ClaimIndex claims(corpus);
  const RuntimeUses runtimes(corpus.workloads);
  for (const Workload& workload : corpus.workloads) {
    check_declared(reporter, workload);
    if (runtimes.is_used(workload)) continue;  // checked with the services that use it
    for (const Container& container : workload.pod.containers) {
      if (runtimes.is_of_runtime(workload, container)) continue;
      check_container(corpus, reporter, claims, workload, container);
    }
  }
  runtimes.check(corpus, reporter);
  check_nim(corpus, reporter);
  for (const Workload& part : corpus.fragments) {
    check_declared(reporter, part);
    if (part.origin != Workload::Origin::values) continue;
    for (const Container& container : part.pod.containers) {
      check_container(corpus, reporter, claims, part, container);
    }
  }
  check_worker_sets(corpus, reporter);
  check_node_counts(corpus, reporter);
}

}  // namespace

bool RuntimeUses::is_used(const Workload& workload) const {
  return std::ranges::find(uses_, &workload, &Use::runtime) != uses_.end();
}

bool RuntimeUses::is_of_runtime(const Workload& service, const Container& container) const {
  const auto use = std::ranges::find(uses_, &service, &Use::service);
  return use != uses_.end() && container.node != service.pod.containers.front().node;
}

void RuntimeUses::check(const Corpus& corpus, Reporter& reporter) const {
  std::set<Span> told;
  for (const auto& [service, runtime] : uses_) {
    const Container* const server = find_server(*runtime);
    const Container& merged = service->pod.containers.front();
    const ResourceEntry* const devices = find_devices(merged);
    if (server == nullptr || devices == nullptr) continue;
    const std::int64_t limit = most_processes(*devices, service->pod);
    const std::int64_t amount = devices->amount.value().value();
    const std::string_view noun = device_noun(devices->name.value);
    const std::vector<FlagCount> own = find_flag_counts(merged.node);
    for (const FlagCount& given : find_flag_counts(server->node)) {
      const bool is_said_again = std::ranges::find(own, given.flag, &FlagCount::flag) != own.end();
      if (is_said_again || given.count <= limit) continue;
      if (find_count_flag(given, *runtime, *server) == nullptr) continue;
      if (!told.insert(given.node.span()).second) continue;
      reporter
          .report_span(place_of(*corpus.sources, given), given.node,
                       "{} sets `{} {}`, but {} requests only {}", describe(*runtime), given.flag,
                       given.count, describe_object(*service), devices_text(amount, noun))
          .related(devices->name.node,
                   fmt::format("the predictor requests only {} `{}`", amount, devices->name.value))
          .related(service->object.at("metadata", "name"), "this InferenceService uses the runtime")
          .help(
              "request {} `{}`, or set `{}` to {}{}. Otherwise the program fails, because each "
              "process needs its own {}",
              (given.count * amount + limit - 1) / limit, devices->name.value, given.flag,
              limit == 1 ? "" : "at most ", limit, noun);
    }
  }
}

extern constinit const Rule rule{.info = {.category = "resources"}, .check = check};

}  // namespace gpulint::rules::gpu_count_in_command
