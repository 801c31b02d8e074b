#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::gpu_count_in_command {

/// A flag of a command with its number.
struct FlagCount {
  std::string flag;  ///< As written, dashes included.
  std::int64_t count = 0;
  Node node;  ///< The scalar with the number.
};

/// Flags with numbers in `command` and `args` of a container, in order: `--flag 2` and `--flag=2`,
/// as separate items or inside a script.
[[nodiscard]] std::vector<FlagCount> find_flag_counts(Node container);

/// The place of the flag: in a scalar of several lines the flag itself, else the whole scalar.
[[nodiscard]] Span place_of(const SourceSet& sources, const FlagCount& given);

/// Whether a word of the container's `command` or `args` begins with `start`.
[[nodiscard]] bool has_word(Node container, std::string_view start);

/// Reports `torchrun --nnodes N` if all workloads with the same N have fewer pods than N. These
/// wait for more nodes until they time out.
void check_node_counts(const Corpus& corpus, Reporter& reporter);

/// A field of an object with the number of processes in each pod of the workload.
struct DeclaredCount {
  std::string_view field;
  std::int64_t count = 0;
  Node node;
  /// Whether a process without a GPU of its own fails; others may share one.
  bool is_fatal = true;
};

/// The devices of the container. Null if they are unknown, if there are none, or if one device
/// serves several processes.
[[nodiscard]] const ResourceEntry* find_devices(const Container& container);

/// The most processes with a device each; on some TPUs a chip has two devices. If the pod does not
/// select a known generation, the largest number is used.
[[nodiscard]] std::int64_t most_processes(const ResourceEntry& devices, const PodSpec& pod);

/// `1 process`, `4 processes`.
[[nodiscard]] std::string process_text(std::int64_t count);

/// What requests the container's devices: Job `a`, chart value `models[0]`; container `c` of Job
/// `a` if other containers may have devices.
[[nodiscard]] std::string describe_requester(const Workload& workload, const Container& container);

/// Job `a`, without the role of one of its several pods.
[[nodiscard]] std::string describe_object(const Workload& workload);

/// Container `c`; `the container` without a name.
[[nodiscard]] std::string describe_alone(const Container& container);

/// Compares a declared count with the first container with devices.
void check_declared(Reporter& reporter, const Workload& workload);

/// A flag with a number, and what the number counts.
struct LaunchFlag {
  /// Each of `processes` has its own GPU; vLLM starts tensor times pipeline times data processes.
  enum class Counts : std::uint8_t { processes, tensor, pipeline, data, nodes };
  std::string_view launcher;
  std::string_view flag;
  Counts counts;
  bool spans_nodes;        ///< The processes may be on other nodes.
  bool takes_underscores;  ///< The launcher reads `_` as `-`.
};

/// Null for other flags.
[[nodiscard]] const LaunchFlag* find_launch_flag(std::string_view flag);

/// What a flag of the container counts. Null if it counts something else, or also counts processes
/// on other nodes.
[[nodiscard]] const LaunchFlag* find_count_flag(const FlagCount& given, const Workload& workload,
                                                const Container& container);

/// The number of all processes: for vLLM tensor times pipeline times data parallelism, if all of
/// them are in this container.
[[nodiscard]] std::int64_t processes_of(const LaunchFlag& flag, const FlagCount& given,
                                        const Container& container);

/// Whether fewer processes than devices leave devices idle. False if the command or environment
/// starts more processes, gives one process several devices, or assigns the devices.
[[nodiscard]] bool leaves_devices_idle(const LaunchFlag& flag, const Container& container);

}  // namespace gpulint::rules::gpu_count_in_command
