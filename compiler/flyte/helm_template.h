#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"

namespace gpulint::flyte {

/// What `{{ … }}` inside a value may speak of.
struct TemplateContext {
  const ConfigValue* values = nullptr;  ///< The merged values.
  /// Top-level keys of the chart's own values, of which not all content is known here.
  const std::vector<std::string_view>* chart_keys = nullptr;
  std::string chart_name{};
  std::optional<std::string> release_name{};  ///< nullopt: not known, like the rest of `.Release`.
  std::optional<std::string> release_namespace{};
};

struct TemplateResult {
  enum class State : std::uint8_t {
    text,    ///< `text` is what Helm prints.
    opaque,  ///< It depends on something that is not known here.
    failure  ///< Helm refuses: `text` says why.
  };
  State state = State::text;
  std::string text;
};

/// Evaluates what Helm's `tpl` makes of a scalar's text: references to values, the chart's name and
/// the release where it is known, if/else, and the functions default, quote, squote, printf, upper,
/// lower, trim, toString, not, eq, ne, and, or. Everything else is opaque.
[[nodiscard]] TemplateResult evaluate_template(std::string_view text,
                                               const TemplateContext& context);

}  // namespace gpulint::flyte
