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

/// Whether the imported name is the SDK's `member`, wherever in it it stands:
/// `flytekit.core.resources.Resources`.
[[nodiscard]] bool is_sdk_member(const PythonMeaning& meaning, std::string_view member);
/// Whether the meaning is a call of that; its callee is looked up, too.
[[nodiscard]] bool is_call_of(const PythonMeaning& meaning, std::string_view member);

/// Remarks on what is read, still without the task's name.
using SdkRemarks = std::vector<SdkRemark>;

/// What a `Resources(…)` asks for. Flyte 2 names the accelerator there, too.
struct PythonResources {
  PythonTree requests;
  PythonTree limits;
  std::optional<PythonTree> accelerator;
  bool has_limits = false;  ///< A pair was given.
};

/// flytekit's (`cpu`, `mem`, `gpu`, `ephemeral_storage`) or Flyte 2's (`cpu`, `memory`, `gpu`,
/// `disk`): pairs are request and limit. Amounts that are computed are opaque; nullopt where not
/// even their names are known, or of an accelerator that is not.
[[nodiscard]] std::optional<PythonResources> read_python_resources(const PythonArgument& argument,
                                                                   SdkRemarks& remarks);

/// flytekit's accelerators: imported constants with or without a partition, `GPUAccelerator("…")`,
/// classes of one's own. nullopt: nobody knows which.
[[nodiscard]] std::optional<PythonTree> read_python_accelerator(const PythonArgument& argument,
                                                                SdkRemarks& remarks);
/// What Flyte 2's `Resources(gpu="…")` says; nullopt where its SDK refuses that, or nobody knows.
[[nodiscard]] std::optional<AcceleratorSpec> read_flyte2_device(const std::string& text,
                                                                const python::Expression& written,
                                                                SdkRemarks& remarks);
/// Notes a device or a partition that Flyte 2's `GPU(…)` and `TPU(…)` refuse, of which `device` and
/// `partition` are the expressions; the latter may be null. False: it refuses one.
[[nodiscard]] bool check_flyte2_device(AcceleratorSpec& spec, const python::Expression& device,
                                       const python::Expression* partition, SdkRemarks& remarks);
/// An accelerator that is written in the span, as tasks have it.
[[nodiscard]] PythonTree python_accelerator_tree(const AcceleratorSpec& spec, Span span);

/// What a `PodTemplate(…)` says: its pod as the API has it, and how its primary container is
/// called.
struct PythonPodTemplate {
  PythonTree pod_spec;
  std::string primary_container = "primary";
};
/// Arguments of `V1…` classes are the API's fields in snake case; what is computed is opaque.
[[nodiscard]] std::optional<PythonPodTemplate> read_python_pod(const PythonArgument& argument);

}  // namespace gpulint::flyte
