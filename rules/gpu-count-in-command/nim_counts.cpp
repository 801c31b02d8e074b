#include "rules/gpu-count-in-command/nim_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "rules/gpu-count-in-command/declared_counts.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

/// Over how many GPUs a model is spread.
struct Spread {
  std::int64_t count = 0;
  Node node;
};

/// A number that is written as text, as all of a NIM's profile is.
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

/// The number behind `-tp` in the name of a profile: `tensorrt_llm-h100-fp8-tp4-pp1-latency`; 1
/// where there is none.
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

/// NVIDIA NIM for LLMs, «Configuring a NIM»: `NIM_TENSOR_PARALLEL_SIZE`, or a profile by its name.
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
  reporter
      .report(devices->name.node, "{} has {} `{}`; its model is spread over {}", describe(service),
              limit, devices->name.value, spread->count)
      .related(spread->node, by_environment ? "so it is told" : "the model in its cache")
      .help("NIM finds no profile that so few GPUs can serve: ask for {}, or cache one for {}",
            spread->count, limit);
}

}  // namespace

void check_nim(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    const bool is_nim = workload.kind.equals("NIMService") || workload.kind.equals("NIMPipeline");
    if (is_nim) check_service(corpus, workload, reporter);
  }
}

}  // namespace gpulint::rules::gpu_count_in_command
