#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace gpulint {

/// Prints `--help` within 80 columns.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> make_help_formatter();

}  // namespace gpulint
