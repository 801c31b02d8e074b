#pragma once

#include <string>
#include <string_view>

namespace gpulint::flyte {

/// What a device that nobody offers was probably meant to be, as `--task` and gpulint.yaml take it:
/// `A100` for `A101`, `A100.partition_1g_5gb` for `a100-1g.5gb`. Empty where the name is known, or
/// like none that is: a cluster may call its devices what it likes.
[[nodiscard]] std::string suggest_accelerator(std::string_view device);

}  // namespace gpulint::flyte
