#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/python_names.h"
#include "compiler/flyte/python_values.h"

namespace gpulint::flyte {

/// The key of the SDK's name in an entry; it does not occur in YAML.
inline constexpr std::string_view python_sdk_key = "<sdk>";

/// The arguments of a task's decorator, and of what the decorator is made from.
struct PythonDeclaration {
  PythonSdk sdk = PythonSdk::flytekit;
  PythonArguments arguments;  ///< The last one of a name applies.
  bool is_open = false;       ///< Some arguments are unknown.
  SdkRemarks remarks;         ///< On what the SDK rejects.
};

/// A task with its declaration.
struct PythonTask {
  std::string name;
  Span place;
  PythonDeclaration declaration;
  const PythonArguments* overrides = nullptr;  ///< From `with_overrides`.
};

/// A task's entry for read_task(), or why it is unknown.
struct PythonEntry {
  PythonTree tree;
  std::string_view because;    ///< Empty if it is known.
  bool asks_for_gpus = false;  ///< Or may: its base pod template is an object in the cluster.
  SdkRemarks remarks;
};

[[nodiscard]] PythonEntry make_python_entry(const PythonTask& task);

/// Whether an entry, including overrides, requests GPUs or an accelerator.
[[nodiscard]] bool asks_for_gpus(const PythonTree& entry);

/// Whether an entry, including overrides, has a number of GPUs that is computed.
[[nodiscard]] bool has_unknown_gpus(const PythonTree& entry);

/// The version of Flyte that an entry's SDK is for; unknown for entries that were not read here.
[[nodiscard]] FlyteVersion version_of_entry(Node entry);

}  // namespace gpulint::flyte
