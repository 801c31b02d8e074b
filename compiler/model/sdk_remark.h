#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/diagnostic.h"
#include "compiler/base/span.h"

namespace gpulint {

/// Something in a Python task that its SDK rejects, ignores or reads differently. Created when the
/// source is read; one rule of the category `python` reports each kind.
struct SdkRemark {
  enum class Kind : std::uint8_t {
    integer_gpu,        ///< flytekit: `Resources(gpu=1)`; `seen`: the number.
    lost_template_gpu,  ///< `seen`: the request of the pod template; `known`: the argument.
    accelerator_alone,  ///< `seen`: the device without an amount of GPUs.
    unknown_device,     ///< Flyte 2; `seen`: as written; `known`: what the SDK has.
    unknown_partition,  ///< `seen`: the size; `known`: the sizes that the SDK has for `device`.
    device,             ///< `seen`: a device of both SDKs; `known`: what this one sends for it.
    other_declaration,  ///< `seen`: in Python; `known`: declared elsewhere.
    other_package,      ///< `seen`: in Python; `known`: in the package.
    unknown_resources,  ///< `seen`: why they are unknown; without a task: no task uses the call.
    unknown_amount,     ///< The number of GPUs is computed; the rest of the task is known.
    unknown_keyword,    ///< `seen`: the keyword; `device`: the call; `known`: its keyword.
    missing_device,     ///< Flyte 2: `Device(…)` of GPUs without a name.
    paired_device,      ///< Flyte 2: `gpu=("L4", 1)`; `known`: as one text, or empty.
    nested_task         ///< flytekit: a task in a function.
  };

  Kind kind = Kind::unknown_resources;
  Span span = {};
  std::string task = {};
  std::string seen = {};
  std::string known = {};
  std::string device = {};
  bool is_flyte2 = false;
  std::optional<Span> other = {};  ///< The other half of a contradiction.
  std::optional<Edit> edit = {};   ///< The edit that corrects it, if there is a literal.
};

}  // namespace gpulint
