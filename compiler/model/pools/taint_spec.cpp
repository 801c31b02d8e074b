#include "compiler/model/pools/taint_spec.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 3> effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};

[[nodiscard]] bool is_effect(std::string_view text) {
  return std::ranges::find(effects, text) != effects.end();
}

[[nodiscard]] Field<std::string> part(std::string_view text, Node node) {
  return text.empty() ? Field<std::string>::absent(node)
                      : Field<std::string>::known(std::string(text), node);
}

struct ParsedTaint {
  TaintText text;
  std::string error;
};

/// `KEY`, `KEY:EFFECT` or `KEY=VALUE:EFFECT`, each part checked.
[[nodiscard]] ParsedTaint parse_taint(std::string_view spec) {
  const auto refuse = [&](std::string_view why) {
    return ParsedTaint{
        {}, fmt::format("invalid taint spec: {}{}{}", spec, why.empty() ? "" : ", ", why)};
  };
  TaintText text{spec, {}, {}};
  if (std::ranges::count(spec, ':') > 1) return refuse("");
  const std::size_t colon = spec.find(':');
  if (colon != std::string_view::npos) {
    text.effect = spec.substr(colon + 1);
    if (!is_effect(text.effect)) {
      return {{}, fmt::format("invalid taint effect: {}, unsupported taint effect", text.effect)};
    }
    text.key = spec.substr(0, colon);
    if (std::ranges::count(text.key, '=') > 1) return refuse("");
    const std::size_t equals = text.key.find('=');
    if (equals != std::string_view::npos) {
      text.value = text.key.substr(equals + 1);
      text.key = text.key.substr(0, equals);
    }
  }
  NameProblems problems = label_value_problems(text.value);
  if (problems.empty()) problems = label_key_problems(text.key);
  if (!problems.empty()) return refuse(fmt::format("{}", fmt::join(problems, "; ")));
  return {text, {}};
}

}  // namespace

Taint make_taint(const TaintText& text, Node node) {
  return {.node = node,
          .key = Field<std::string>::known(std::string(text.key), node),
          .value = part(text.value, node),
          .effect = part(text.effect, node)};
}

TaintSpecs parse_taint_specs(std::span<const Value<std::string>> specs) {
  TaintSpecs result;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Value<std::string>& spec : specs) {
    std::string_view text = spec.value;
    const bool is_removal = text.ends_with('-');
    if (is_removal) text.remove_suffix(1);
    ParsedTaint parsed = parse_taint(text);
    if (parsed.error.empty() && !is_removal && parsed.text.effect.empty()) {
      parsed.error = fmt::format("invalid taint spec: {}", spec.value);
    }
    if (parsed.error.empty() && !is_removal &&
        !seen.emplace(parsed.text.key, parsed.text.effect).second) {
      parsed.error = fmt::format("duplicated taints with the same key and effect: {}", spec.value);
    }
    if (!parsed.error.empty()) return {{}, {}, std::move(parsed.error)};
    if (is_removal) {
      result.removed.push_back(make_taint({parsed.text.key, {}, parsed.text.effect}, spec.node));
    } else {
      result.taints.push_back(make_taint(parsed.text, spec.node));
    }
  }
  return result;
}

std::string kubelet_taint_error(const std::vector<Taint>& taints) {
  for (const Taint& taint : taints) {
    const std::string effect = taint.effect.value_or("");
    const bool is_open =
        taint.key.is_opaque() || taint.value.is_opaque() || taint.effect.is_opaque();
    const bool is_valid = is_label_key(taint.key.value_or("")) &&
                          is_label_value(taint.value.value_or("")) &&
                          (effect.empty() || is_effect(effect));
    if (is_open || is_valid) continue;
    return fmt::format("invalid taint: {}={}:{}", taint.key.value_or(""), taint.value.value_or(""),
                       effect);
  }
  return {};
}

Field<std::string> normalized_effect(const Field<std::string>& effect) {
  if (!effect.is_known()) return effect;
  std::string letters = to_lower(effect.value());
  std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
  for (const std::string_view known : effects) {
    if (to_lower(known) == letters)
      return Field<std::string>::known(std::string(known), effect.node());
  }
  return effect;
}

}  // namespace gpulint
