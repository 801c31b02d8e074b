#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/workload.h"

namespace gpulint::rules::gpu_count_in_command {

/// A flag of a command with the number that it is given.
struct FlagCount {
  std::string flag;  ///< As written, dashes included.
  std::int64_t count = 0;
  Node node;  ///< The scalar that holds the number.
};

/// What `command` and `args` of a container give to flags, in order: `--flag 2`, `--flag=2`, as
/// items of their own or inside a script. Flags without a number are left out.
[[nodiscard]] std::vector<FlagCount> find_flag_counts(Node container);

/// Where it stands: of a scalar of several lines the flag's own line, else all of the scalar.
[[nodiscard]] Span place_of(const SourceSet& sources, const FlagCount& given);

/// Whether a word of the container's `command` or `args` begins so.
[[nodiscard]] bool has_word(Node container, std::string_view start);

/// `torchrun --nnodes N` where all that start it with as many have fewer pods than N: the first
/// ones wait for the others until they give up.
void check_node_counts(const Corpus& corpus, Reporter& reporter);

/// A field of an object that says how many processes start in each pod of the workload.
struct DeclaredCount {
  std::string_view field;
  std::int64_t count = 0;
  Node node;
  /// Whether a process without a GPU of its own fails; others may share one.
  bool is_fatal = true;
};

/// The devices that the container gets; null where that is open, none are, or one serves several
/// processes.
[[nodiscard]] const ResourceEntry* find_devices(const Container& container);

/// The most processes that get a device each: on some TPUs a chip has two devices. Where the pod
/// does not select a known generation, the largest number counts.
[[nodiscard]] std::int64_t most_processes(const ResourceEntry& devices, const PodSpec& pod);

/// Holds such a count against the first container with devices.
void check_declared(Reporter& reporter, const Workload& workload);

/// A flag with a number, and what the number counts.
struct LaunchFlag {
  /// `processes`, each with a GPU of its own; of these vLLM has tensor times pipeline times data.
  enum class Counts : std::uint8_t { processes, tensor, pipeline, data, nodes };
  std::string_view launcher;
  std::string_view flag;
  Counts counts;
  bool spans_nodes;        ///< The processes may be on other machines.
  bool takes_underscores;  ///< The launcher reads `_` as `-`.
};

/// Null for flags that count nothing known.
[[nodiscard]] const LaunchFlag* find_launch_flag(std::string_view flag);

/// What a flag counts that the container gives in a pod of the workload; null where it counts
/// something else, or processes of other machines, too.
[[nodiscard]] const LaunchFlag* find_count_flag(const FlagCount& given, const Workload& workload,
                                                const Container& container);

/// How many processes there are of it all: of vLLM tensor times pipeline times data parallelism,
/// where all of them are in this container.
[[nodiscard]] std::int64_t processes_of(const LaunchFlag& flag, const FlagCount& given,
                                        const Container& container);

/// Whether fewer processes than devices leave some of them idle: nothing in the command or
/// environment multiplies the processes, gives one several devices, or shares the devices out.
[[nodiscard]] bool leaves_devices_idle(const LaunchFlag& flag, const Container& container);

}  // namespace gpulint::rules::gpu_count_in_command
