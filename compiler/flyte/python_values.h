#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/python_names.h"
#include "compiler/flyte/python_sdk.h"
#include "compiler/flyte/task.h"
#include "compiler/model/sdk_remark.h"

namespace gpulint::flyte {

/// Whether the imported name is the SDK's `member`, in any module of the SDK:
/// `flytekit.core.resources.Resources`.
[[nodiscard]] bool is_sdk_member(const PythonMeaning& meaning, std::string_view member);
/// Whether the meaning is a call of it; the callee is also resolved.
[[nodiscard]] bool is_call_of(const PythonMeaning& meaning, std::string_view member);

/// Remarks on what was read, without the task's name.
using SdkRemarks = std::vector<SdkRemark>;

/// The requests of a `Resources(…)`. Flyte 2 also names the accelerator there.
struct PythonResources {
  PythonTree requests;
  PythonTree limits;
  std::optional<PythonTree> accelerator;
  bool has_limits = false;  ///< A pair of request and limit was written.
};

/// flytekit's (`cpu`, `mem`, `gpu`, `ephemeral_storage`) or Flyte 2's (`cpu`, `memory`, `gpu`,
/// `disk`): pairs are request and limit. Computed amounts are opaque. nullopt if not even their
/// names are known, or if the accelerator is unknown.
[[nodiscard]] std::optional<PythonResources> read_python_resources(const PythonArgument& argument,
                                                                   SdkRemarks& remarks);

/// flytekit's accelerators: imported constants with or without a partition, `GPUAccelerator("…")`,
/// classes of the user. nullopt: unknown.
[[nodiscard]] std::optional<PythonTree> read_python_accelerator(const PythonArgument& argument,
                                                                SdkRemarks& remarks);
/// The device of Flyte 2's `Resources(gpu="…")`; nullopt if its SDK rejects it, or if it is
/// unknown.
[[nodiscard]] std::optional<AcceleratorSpec> read_flyte2_device(const std::string& text,
                                                                const python::Expression& written,
                                                                SdkRemarks& remarks);
/// Adds remarks on a device or partition that Flyte 2's `GPU(…)` and `TPU(…)` reject. `device` and
/// `partition` are the expressions; `partition` may be null. Returns false if it rejects one.
[[nodiscard]] bool check_flyte2_device(AcceleratorSpec& spec, const python::Expression& device,
                                       const python::Expression* partition, SdkRemarks& remarks);
/// An accelerator with this span, as in a task's entry.
[[nodiscard]] PythonTree python_accelerator_tree(const AcceleratorSpec& spec, Span span);

/// The pod of a `PodTemplate(…)` as in the API, and the name of its primary container.
struct PythonPodTemplate {
  PythonTree pod_spec;
  std::string primary_container = "primary";
};
/// Arguments of `V1…` classes are the API's fields in snake case; computed values are opaque.
[[nodiscard]] std::optional<PythonPodTemplate> read_python_pod(const PythonArgument& argument);

}  // namespace gpulint::flyte
