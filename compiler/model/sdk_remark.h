#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/diagnostic.h"
#include "compiler/base/span.h"

namespace gpulint {

/// What a task written in Python says that its SDK refuses, drops or understands otherwise. Made
/// where the source is read; each kind is told by one rule of the category `python`.
struct SdkRemark {
  enum class Kind : std::uint8_t {
    integer_gpu,        ///< flytekit: `Resources(gpu=1)`; `seen`: the number.
    lost_template_gpu,  ///< `seen`: what the pod template asks for; `known`: the argument.
    accelerator_alone,  ///< `seen`: the device that no amount of GPUs goes with.
    unknown_device,     ///< Flyte 2; `seen`: what is written; `known`: what the SDK has.
    unknown_partition,  ///< `seen`: the size; `known`: those that the SDK has of `device`.
    device,             ///< `seen`: a device of both SDKs; `known`: what this one sends for it.
    other_declaration,  ///< `seen`: what Python says; `known`: what is declared elsewhere.
    other_package,      ///< `seen`: what Python says; `known`: what was packaged of it.
    unknown_resources,  ///< `seen`: why nobody knows them; without a task: no task uses the call.
  };

  Kind kind = Kind::unknown_resources;
  Span span = {};
  std::string task = {};
  std::string seen = {};
  std::string known = {};
  std::string device = {};
  bool is_flyte2 = false;
  std::optional<Span> other = {};  ///< The other half of a contradiction.
  std::optional<Edit> edit = {};   ///< What mends it, where a literal stands there.
};

}  // namespace gpulint
