#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/model/workload.h"
#include "rules/gpu-count-in-command/flag_counts.h"

namespace gpulint::rules::gpu_count_in_command {

/// A flag whose number is of processes, each with a GPU of its own.
struct CountFlag {
  std::string_view flag;
  std::string_view of;  ///< The program that takes it.
  bool spans_nodes;     ///< The processes may be on other machines.
};

/// What a flag counts that the container gives in a pod of the workload; null where it counts
/// something else, or processes of other machines, too.
[[nodiscard]] const CountFlag* find_count_flag(const FlagCount& given, const Workload& workload,
                                               const Container& container);

/// How many processes there are of it all: of vLLM tensor times pipeline times data parallelism,
/// where all of them are in this container.
[[nodiscard]] std::int64_t processes_of(const CountFlag& flag, const FlagCount& given,
                                        const Container& container);

/// Whether fewer processes than devices leave some of them idle: nothing in the command or
/// environment multiplies the processes, gives one several devices, or shares the devices out.
[[nodiscard]] bool leaves_devices_idle(const CountFlag& flag, const Container& container);

}  // namespace gpulint::rules::gpu_count_in_command
