#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/python_names.h"
#include "compiler/flyte/python_values.h"

namespace gpulint::flyte {

/// The key of the SDK's name in an entry, which nobody writes in YAML.
inline constexpr std::string_view python_sdk_key = "<sdk>";

/// What a decorator, or what it is made of, says of a task.
struct PythonDeclaration {
  PythonSdk sdk = PythonSdk::flytekit;
  PythonArguments arguments;  ///< The last of a name counts.
  bool is_open = false;       ///< Some of them are not known.
};

/// A task, and what it is written with.
struct PythonTask {
  std::string name;
  Span place;
  PythonDeclaration declaration;
  const PythonArguments* overrides = nullptr;  ///< Of `with_overrides`.
};

/// The entry of a task as read_task() takes it, or why it cannot be told.
struct PythonEntry {
  PythonTree tree;
  std::string_view because;    ///< Empty where it can.
  bool asks_for_gpus = false;  ///< Or may: what its pod is built upon is an object of the cluster.
  SdkRemarks remarks;
};

[[nodiscard]] PythonEntry make_python_entry(const PythonTask& task);

/// Whether an entry, overrides included, asks for GPUs or an accelerator.
[[nodiscard]] bool asks_for_gpus(const PythonTree& entry);

/// The version of Flyte that an entry's SDK speaks to; unknown of entries that were not read here.
[[nodiscard]] FlyteVersion version_of_entry(Node entry);

}  // namespace gpulint::flyte
