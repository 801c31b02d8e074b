#include "rules/gpu-count-in-command/process_flags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/pod_count.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_count_in_command {
namespace {

using Counts = LaunchFlag::Counts;

// vLLM "Engine Arguments", "Distributed Inference and Serving" (0.9) and FlexibleArgumentParser
// (vllm/utils); SGLang "Server Arguments"; text-generation-inference launcher; PyTorch "torchrun
// (Elastic Launch)" (2.7); Hugging Face Accelerate "The Command Line" (1.10).
constexpr std::array<LaunchFlag, 12> launch_flags{{
    // launcher, flag, what it counts, whether on several nodes, whether `_` is `-`
    {"vllm", "--tensor-parallel-size", Counts::tensor, true, true},
    {"vllm", "-tp", Counts::tensor, true, false},
    {"vllm", "--pipeline-parallel-size", Counts::pipeline, true, true},
    {"vllm", "-pp", Counts::pipeline, true, false},
    {"vllm", "--data-parallel-size", Counts::data, true, true},
    {"vllm", "-dp", Counts::data, true, false},
    {"sglang", "--tp", Counts::processes, true, false},
    {"sglang", "--tp-size", Counts::processes, true, false},
    {"text-generation-inference", "--num-shard", Counts::processes, true, false},
    {"torchrun", "--nproc-per-node", Counts::processes, false, true},
    {"torchrun", "--nnodes", Counts::nodes, true, false},
    {"accelerate", "--num-processes", Counts::processes, true, true},
}};

struct Word {
  std::string text;
  Node node;
};

/// The words of `command` and `args`; a line that begins with `#` is a comment.
[[nodiscard]] std::vector<Word> words_of(Node container) {
  constexpr std::string_view separators = " \t\r\n\\\"';|&()";
  std::vector<Word> words;
  const auto add_line = [&](std::string_view line, Node node) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == line.npos || line[first] == '#') return;
    for (std::size_t at = line.find_first_not_of(separators); at != line.npos;) {
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      words.push_back({std::string(line.substr(at, end - at)), node});
      at = line.find_first_not_of(separators, end);
    }
  };
  for (const std::string_view key : {"command", "args"}) {
    for (const Node item : container.get(key).items()) {
      if (!item.is_scalar()) continue;
      std::string_view text = item.text();
      while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        add_line(text.substr(0, end), item);
        text.remove_prefix(std::min(end + 1, text.size()));
      }
    }
  }
  return words;
}

[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && number > 0;
  return is_number ? std::optional(number) : std::nullopt;
}

/// A workload that starts processes on several nodes.
struct Starter {
  const Workload* workload = nullptr;
  const Container* container = nullptr;
  FlagCount flag;
};

/// Whether its pods are one run. Of other kinds, and of a Job with one pod, the other nodes may be
/// in objects outside of the inputs.
[[nodiscard]] bool is_one_run(const Workload& workload, std::int64_t pods) {
  return workload.origin == Workload::Origin::manifest && facts_of(workload).traits.one_run &&
         (pods > 1 || !workload.kind.equals("Job"));
}

// PyTorch "torchrun (Elastic Launch)": `--nnodes=N` waits for N nodes, `MIN:MAX` for MIN.
[[nodiscard]] std::optional<FlagCount> nodes_of_run(const Container& container) {
  const auto says = [&](std::string_view word) { return has_word(container.node, word); };
  if (!says("torchrun") && !says("torch.distributed")) return std::nullopt;
  // Nodes with a fixed rank may be in objects outside of the inputs.
  if (says("--node_rank") || says("--node-rank")) return std::nullopt;
  for (const FlagCount& given : find_flag_counts(container.node)) {
    const LaunchFlag* const known = find_launch_flag(given.flag);
    if (known != nullptr && known->counts == Counts::nodes) return given;
  }
  return std::nullopt;
}

/// The first by name, independent of the order in the file.
[[nodiscard]] const Starter& first_of(const std::vector<Starter>& starters) {
  return *std::ranges::min_element(
      starters, {}, [](const Starter& starter) { return starter.workload->display_name(); });
}

/// All pods of the objects that start the run; those without the flag may join it in a script.
/// nullopt if there may be more.
[[nodiscard]] std::optional<std::int64_t> pods_of(const Corpus& corpus,
                                                  const std::vector<Starter>& starters) {
  std::set<Span> objects;
  for (const Starter& starter : starters) objects.insert(starter.workload->object.span());
  std::int64_t pods = 0;
  for (const Workload& workload : corpus.workloads) {
    if (!objects.contains(workload.object.span())) continue;
    const auto count = concurrent_pods(workload).pods;
    if (!count || !is_one_run(workload, *count)) return std::nullopt;
    pods += *count;
  }
  return pods;
}

[[nodiscard]] std::optional<DeclaredCount> read_count(Node mapping, std::string_view field) {
  const Field<std::int64_t> count = read_int(mapping, field);
  if (count.is_known()) return DeclaredCount{field, count.value(), count.node()};
  // `nprocPerNode` is a string: `auto` or a number.
  const Field<std::string> text = read_string(mapping, field);
  if (!text.is_known() || text.value().empty() || text.value().size() > 4) return std::nullopt;
  if (text.value().find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return DeclaredCount{field, std::stoll(text.value()), text.node()};
}

/// Devices that serve several processes: a Neuron device has two or more cores (AWS "NeuronCore
/// Architecture"), Intel's Max GPUs have tiles.
[[nodiscard]] bool has_several_of_a_device(std::string_view resource) {
  return resource.starts_with("aws.amazon.com/") || resource.starts_with("gpu.intel.com/");
}

/// Words of commands whose processes connect to processes on other nodes.
constexpr std::array<std::string_view, 12> of_several_nodes{"ray",
                                                            "--distributed-executor-backend",
                                                            "--nnodes",
                                                            "--node-rank",
                                                            "--dist-init-addr",
                                                            "--data-parallel-address",
                                                            "mpirun",
                                                            "--num_machines",
                                                            "--num-machines",
                                                            "--machine_rank",
                                                            "--config_file",
                                                            "multi-node-serving"};

/// Whether the values of a chart say that a model runs in several pods.
[[nodiscard]] bool spans_nodes(const Workload& values) {
  const Node model = values.template_node;
  return model.at("raySpec", "enabled").text() == "true" ||
         model.parent().get("multinode").text() == "true";
}

[[nodiscard]] bool may_span_nodes(const Workload& workload, const Container& container) {
  const bool is_of_values = workload.origin == Workload::Origin::values;
  if (is_of_values ? spans_nodes(workload) : !facts_of(workload).traits.lone) return true;
  const Node spec = workload.object.get("spec");
  const bool is_multinode = spec.get("workerSpec") || spec.get("multinode") ||
                            spec.get("services").at(workload.role, "multinode");
  return is_multinode || std::ranges::any_of(of_several_nodes, [&](std::string_view word) {
           return has_word(container.node, word);
         });
}

/// Whether the command or the names of the environment contain a placeholder.
[[nodiscard]] bool is_open(const Container& container) {
  const auto has_placeholder = [&](std::string_view key) {
    const Node list = container.node.get(key);
    return list.is_opaque() || std::ranges::any_of(list.items(), &Node::is_opaque);
  };
  const auto is_unnamed = [](const EnvVar& variable) { return variable.name.is_opaque(); };
  return has_placeholder("command") || has_placeholder("args") ||
         container.node.get("env").is_opaque() || std::ranges::any_of(container.env, is_unnamed);
}

/// Counts in fields of objects:
/// - `slotsPerWorker` of an MPIJob, for its workers (kubeflow/mpi-operator v0.6, v2beta1 types.go:
///   slots of the hostfile);
/// - `nprocPerNode` of a PyTorchJob (kubeflow/trainer v1.9, pytorch_types.go), `numProcPerNode` of
///   a TrainJob: `--nproc-per-node` of torchrun;
/// - `parallelism.tensor` of an LLMInferenceService without workers on other nodes, and of its
///   `prefill`: `--tensor-parallel-size` (kserve v0.16, config/llmisvcconfig);
/// - `vllmConfig.tensorParallelSize` of a model of vLLM's production stack without Ray;
/// - `parallelism.tensor` of llm-d's model service (llm-d-incubation/llm-d-modelservice,
///   templates/_helpers.tpl), unless the values set the command.
[[nodiscard]] std::optional<DeclaredCount> find_declared_count(const Workload& workload) {
  if (workload.origin == Workload::Origin::values) {
    const Node model = workload.template_node;
    if (spans_nodes(workload)) return std::nullopt;
    const bool is_served = std::ranges::any_of(workload.pod.containers, [](const Container& each) {
      const std::string_view command = each.node.get("modelCommand").text();
      return command == "vllmServe" || command == "imageDefault";
    });
    if (!is_served) return read_count(model.get("vllmConfig"), "tensorParallelSize");
    auto found = read_count(model.get("parallelism"), "tensor");
    if (found) found->field = "parallelism.tensor";
    return found;
  }
  const Node spec = workload.object.get("spec");
  std::optional<DeclaredCount> found;
  if (workload.kind.equals("MPIJob") && workload.role == "Worker") {
    found = read_count(spec, "slotsPerWorker");
    if (found) found->is_fatal = false;
  } else if (workload.kind.equals("PyTorchJob")) {
    found = read_count(spec, "nprocPerNode");
  } else if (workload.kind.equals("TrainJob")) {
    found = read_count(spec.get("trainer"), "numProcPerNode");
  } else if (workload.kind.equals("LLMInferenceService")) {
    const bool is_prefill = workload.role == "prefill";
    const Node part = is_prefill ? spec.get("prefill") : spec;
    const bool is_whole = is_prefill || workload.role.empty();
    if (!is_whole || part.get("worker")) return std::nullopt;
    found = read_count(part.get("parallelism"), "tensor");
    if (found) found->field = "parallelism.tensor";
  }
  return found;
}

/// The label of a limit. A value of a chart may have a key other than the resource.
[[nodiscard]] std::string limit_label(const Container& container, const ResourceEntry& devices,
                                      std::int64_t limit) {
  if (devices.name.node.text() == devices.name.value) {
    return fmt::format("{} requests only {} `{}`", describe_alone(container), limit,
                       devices.name.value);
  }
  return fmt::format("this value requests only {} `{}`", limit, devices.name.value);
}

[[nodiscard]] bool may_have_devices(const Container& container) {
  const ResourceRequirements& resources = container.resources;
  return resources.opaque || !resources.claims.empty() ||
         std::ranges::any_of(resources.limits, [](const ResourceEntry& entry) {
           return entry.name.value.find('/') != std::string::npos;
         });
}

/// The part of the object that the starter is: `Worker`, `gpu`; empty if it has one pod template.
[[nodiscard]] std::string part_of(const Starter& starter) {
  const std::string& role = starter.workload->role;
  const std::size_t slash = role.rfind('/');
  return slash == std::string::npos ? role : role.substr(slash + 1);
}

/// Where to change `--nnodes`: `` in container `c` `` and the part of the object, such as
/// `` of replicated job `workers` ``.
[[nodiscard]] std::string place_text(const Starter& starter) {
  const std::string container = describe_alone(*starter.container);
  const std::string whole = describe(*starter.workload);
  const std::string owner = " of " + describe_object(*starter.workload);
  if (whole.ends_with(owner)) {
    return fmt::format(" in {} of {}", container, whole.substr(0, whole.size() - owner.size()));
  }
  const std::string part = part_of(starter);
  return fmt::format(" in {}{}", container, part.empty() ? "" : fmt::format(" (`{}`)", part));
}

}  // namespace

std::vector<FlagCount> find_flag_counts(Node container) {
  const std::vector<Word> words = words_of(container);
  std::vector<FlagCount> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (!word.starts_with('-')) continue;
    const std::size_t equals = word.find('=');
    if (equals != word.npos) {
      const auto count = parse_count(word.substr(equals + 1));
      if (count) found.push_back({std::string(word.substr(0, equals)), *count, words[i].node});
    } else if (i + 1 < words.size()) {
      const auto count = parse_count(words[i + 1].text);
      if (count) found.push_back({std::string(word), *count, words[i + 1].node});
    }
  }
  return found;
}

Span place_of(const SourceSet& sources, const FlagCount& given) {
  const Span all = given.node.span();
  const std::string_view text = sources.text(all);
  if (text.find('\n') == text.npos) return all;
  const std::string count = std::to_string(given.count);
  constexpr std::string_view blanks = " \t\r\n\\\"'=";
  for (std::size_t at = text.find(given.flag); at != text.npos;
       at = text.find(given.flag, at + 1)) {
    const std::size_t number = text.find_first_not_of(blanks, at + given.flag.size());
    if (number == text.npos || number == at + given.flag.size()) continue;
    if (!text.substr(number).starts_with(count)) continue;
    const auto begin = all.begin + static_cast<std::uint32_t>(at);
    const std::size_t end = number + count.size();
    return {all.file, begin, all.begin + static_cast<std::uint32_t>(end)};
  }
  return all;
}

bool has_word(Node container, std::string_view start) {
  const std::vector<Word> words = words_of(container);
  return std::ranges::any_of(words, [&](const Word& word) { return word.text.starts_with(start); });
}

void check_node_counts(const Corpus& corpus, Reporter& reporter) {
  std::map<std::int64_t, std::vector<Starter>> runs;  // by the nodes that they wait for
  for (const Workload& workload : corpus.workloads) {
    for (const Container& container : workload.pod.containers) {
      const auto flag = nodes_of_run(container);
      if (flag) runs[flag->count].push_back({&workload, &container, *flag});
    }
  }
  for (const auto& [nodes, starters] : runs) {
    const auto pods = pods_of(corpus, starters);
    if (!pods || *pods >= nodes) continue;
    const Starter& first = first_of(starters);
    const bool is_one = std::ranges::all_of(starters, [&](const Starter& each) {
      return each.workload->object == first.workload->object;
    });
    const std::string object = describe_object(*first.workload);
    reporter
        .report_span(place_of(*corpus.sources, first.flag), first.flag.node,
                     "`--nnodes {0}`{1} waits for {0} pods, but {2} only {3}", nodes,
                     is_one ? "" : " in " + object,
                     is_one ? object + " has" : "all objects with this flag together have", *pods)
        .help(
            "run {} pods, or set `--nnodes {}`{}. Otherwise torchrun waits for {} until the "
            "timeout",
            nodes, *pods, place_text(first),
            count_text(static_cast<std::size_t>(nodes - *pods), "more pod"));
  }
}

const ResourceEntry* find_devices(const Container& container) {
  const ResourceRequirements& resources = container.resources;
  if (resources.opaque || !resources.claims.empty()) return nullptr;
  const ResourceEntry* found = nullptr;
  for (const ResourceEntry& limit : resources.limits) {
    const auto kind = classify_resource(limit.name.value).kind;
    if (kind == GpuResource::Kind::none || kind == GpuResource::Kind::auxiliary ||
        kind == GpuResource::Kind::attribute) {
      continue;
    }
    const bool is_plain = kind == GpuResource::Kind::device && limit.amount.is_known() &&
                          !limit.amount.value().is_zero() &&
                          !has_several_of_a_device(limit.name.value);
    if (!is_plain || found != nullptr) return nullptr;
    found = &limit;
  }
  return found;
}

std::int64_t most_processes(const ResourceEntry& devices, const PodSpec& pod) {
  const std::int64_t amount = devices.amount.value().value();
  if (devices.name.value != "google.com/tpu") return amount;
  constexpr std::string_view label = "cloud.google.com/gke-tpu-accelerator";
  for (const LabelEntry& entry : pod.node_selector) {
    if (entry.key.value != label || !entry.value.is_known()) continue;
    const auto known =
        std::ranges::find(tpu_devices(), entry.value.value(), &TpuDevices::accelerator);
    if (known != tpu_devices().end()) return amount * known->per_chip;
  }
  return amount * std::ranges::max(tpu_devices(), {}, &TpuDevices::per_chip).per_chip;
}

std::string process_text(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "process" : "processes");
}

std::string describe_requester(const Workload& workload, const Container& container) {
  const bool is_value = workload.origin == Workload::Origin::values && !workload.kind.is_known() &&
                        !workload.name.empty();
  const std::string owner =
      is_value ? fmt::format("chart value `{}`", workload.name) : describe(workload);
  const bool is_alone = std::ranges::none_of(workload.pod.containers, [&](const Container& other) {
    return &other != &container && may_have_devices(other);
  });
  return is_alone ? owner : fmt::format("{} of {}", describe(container), owner);
}

std::string describe_object(const Workload& workload) {
  const std::string kind = workload.kind.value_or("pod");
  return workload.name.empty() ? fmt::format("a {}", kind)
                               : fmt::format("{} `{}`", kind, workload.name);
}

std::string describe_alone(const Container& container) {
  return container.name.is_known() ? describe(container) : std::string("the container");
}

void check_declared(Reporter& reporter, const Workload& workload) {
  const std::optional<DeclaredCount> declared = find_declared_count(workload);
  if (!declared) return;
  for (const Container& container : workload.pod.containers) {
    const ResourceEntry* const devices = find_devices(container);
    if (devices == nullptr) continue;
    const std::int64_t limit = devices->amount.value().value();
    const std::int64_t most = most_processes(*devices, workload.pod);
    if (declared->count <= most) return;
    const std::int64_t needed = (declared->count * limit + most - 1) / most;
    const std::string_view noun = device_noun(devices->name.value);
    const auto devices_text = [&](std::int64_t count) {
      return count_text(static_cast<std::size_t>(count), noun);
    };
    const std::string effect =
        declared->is_fatal
            ? fmt::format("needs {}{}", most == limit ? "" : "at least ", devices_text(needed))
            : "allows " + process_text(declared->count);
    reporter
        .report(declared->node, "`{}: {}` {}, but {} requests only {}", declared->field,
                declared->count, effect, describe_requester(workload, container),
                declared->is_fatal ? std::to_string(limit) : devices_text(limit))
        .related(devices->name.node, limit_label(container, *devices, limit))
        .severity(declared->is_fatal ? Severity::error : Severity::warning)
        .help("request {} `{}`, or set `{}` to {}{}. Otherwise {} {}", needed, devices->name.value,
              declared->field, most == 1 ? "" : "at most ", most,
              declared->is_fatal ? "the program fails, because each process needs its own"
                                 : "several processes share a",
              noun);
    return;
  }
}

const LaunchFlag* find_launch_flag(std::string_view flag) {
  std::string plain(flag);
  std::ranges::replace(plain, '_', '-');
  const auto found = std::ranges::find_if(launch_flags, [&](const LaunchFlag& known) {
    return known.flag == (known.takes_underscores ? std::string_view(plain) : flag);
  });
  return found == launch_flags.end() ? nullptr : &*found;
}

const LaunchFlag* find_count_flag(const FlagCount& given, const Workload& workload,
                                  const Container& container) {
  const LaunchFlag* const known = find_launch_flag(given.flag);
  const bool is_counted =
      known != nullptr && (known->counts == Counts::processes || known->counts == Counts::tensor);
  if (!is_counted) return nullptr;
  if (known->spans_nodes && may_span_nodes(workload, container)) return nullptr;
  if (known->launcher == "accelerate" && !has_word(container.node, "accelerate")) return nullptr;
  const std::string image = container.image.value_or("");
  if (given.flag == "-tp" && image.find("vllm") == image.npos) return nullptr;
  const bool is_sglang = has_word(container.node, "sglang") ||
                         has_word(container.node, "dynamo.sglang") ||
                         image.find("sglang") != image.npos;
  if (given.flag == "--tp" && !is_sglang) return nullptr;
  return known;
}

// vLLM "Data Parallel Deployment" (0.10): with other `--data-parallel-…` flags some ranks run in
// other pods.
std::int64_t processes_of(const LaunchFlag& flag, const FlagCount& given,
                          const Container& container) {
  if (flag.launcher != "vllm" || is_open(container)) return given.count;
  std::int64_t product = given.count;
  for (const FlagCount& each : find_flag_counts(container.node)) {
    const LaunchFlag* const known = find_launch_flag(each.flag);
    const bool is_factor =
        known != nullptr && (known->counts == Counts::pipeline || known->counts == Counts::data);
    std::string name = each.flag;
    std::ranges::replace(name, '_', '-');
    const bool is_elsewhere = name.starts_with("--data-parallel-") && !is_factor;
    if (is_elsewhere || each.count > 1024) return given.count;
    if (is_factor) product *= each.count;
  }
  constexpr std::array<std::string_view, 3> parts{"--data-parallel-hybrid-lb",
                                                  "--data-parallel-external-lb", "--headless"};
  const bool is_part = std::ranges::any_of(
      parts, [&](std::string_view word) { return has_word(container.node, word); });
  return is_part ? given.count : product;
}

bool leaves_devices_idle(const LaunchFlag& flag, const Container& container) {
  if (flag.launcher != "torchrun" || is_open(container)) return false;
  const std::vector<FlagCount> given = find_flag_counts(container.node);
  const auto counts = std::ranges::count_if(
      given, [](const FlagCount& each) { return each.flag.starts_with("--nproc"); });
  const auto is_shared_out = [](const EnvVar& variable) {
    return variable.name.value_or("").find("VISIBLE_DEVICES") != std::string::npos;
  };
  // Other kinds of parallelism may give a process several devices.
  constexpr std::array<std::string_view, 4> words{"CUDA_VISIBLE_DEVICES", "--device", "--gpus",
                                                  "--model-parallel"};
  return counts == 1 && std::ranges::none_of(container.env, is_shared_out) &&
         std::ranges::none_of(
             words, [&](std::string_view word) { return has_word(container.node, word); });
}

}  // namespace gpulint::rules::gpu_count_in_command
