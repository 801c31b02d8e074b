#include "frontend/placeholder_mask.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "compiler/ir/node.h"
#include "compiler/ir/variable.h"
#include "frontend/text_origin.h"

namespace gpulint {
namespace {

constexpr char filler = 'x';

[[nodiscard]] bool is_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

/// Length of OPEN NAME CLOSE at the start of `text`; 0 where there is none.
[[nodiscard]] std::size_t bracketed_name(std::string_view text, char open, char close) {
  if (!text.starts_with(open)) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_name(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == close ? end + 1 : 0;
}

/// `${…}` to its closing brace on the same line.
[[nodiscard]] std::size_t shell_variable(std::string_view text) {
  if (!text.starts_with("${")) return 0;
  if (const auto variable = variable_at(text, 0)) return variable->text.size();
  const std::size_t end = text.find_first_of("{}\n", 2);
  return end != std::string_view::npos && text[end] == '}' ? end + 1 : 0;
}

/// `{name}` is a mapping by itself, but not with more text behind it.
[[nodiscard]] std::size_t braced_name(std::string_view text) {
  const std::size_t size = bracketed_name(text, '{', '}');
  const bool goes_on = size > 0 && size < text.size() &&
                       std::string_view(" \t\r\n,]}:").find(text[size]) == std::string_view::npos;
  return goes_on ? size : 0;
}

[[nodiscard]] std::size_t placeholder_at(std::string_view text, bool begins_value) {
  if (const std::size_t size = shell_variable(text); size > 0) return size;
  if (!begins_value) return 0;
  return std::max(
      {braced_name(text), bracketed_name(text, '%', '%'), bracketed_name(text, '@', '@')});
}

[[nodiscard]] bool lies_in(std::string_view part, std::string_view whole) {
  const std::less_equal<const char*> not_after;
  return not_after(whole.data(), part.data()) &&
         not_after(part.data() + part.size(), whole.data() + whole.size());
}

/// The same place of the other text.
[[nodiscard]] std::string_view moved(std::string_view part, std::string_view from,
                                     std::string_view to) {
  if (part.empty()) return {};
  return lies_in(part, from)
             ? to.substr(static_cast<std::size_t>(part.data() - from.data()), part.size())
             : part;
}

/// Decoded text with the letters of the mask replaced by what they stand for.
[[nodiscard]] std::string unmask_decoded(Node scalar, std::string_view masked,
                                         std::string_view text) {
  const TextOrigin origin = trace_text(scalar, masked);
  std::string result(scalar.text());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint32_t at = file_offset(origin, static_cast<std::uint32_t>(i));
    if (at < text.size() && masked[at] != text[at]) result[i] = text[at];
  }
  return result;
}

/// Length of `{{ name }}`, all on one line, at the start of `text`; 0 where there is none.
[[nodiscard]] std::size_t name_in_braces(std::string_view text) {
  if (!text.starts_with("{{")) return 0;
  const auto skip = [&](std::size_t at, auto is_part) {
    while (at < text.size() && is_part(text[at])) ++at;
    return at;
  };
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const std::size_t begin = skip(2, is_blank);
  const std::size_t end = skip(begin, is_name);
  const std::size_t close = skip(end, is_blank);
  return end > begin && text.substr(close).starts_with("}}") ? close + 2 : 0;
}

/// Masks what begins with one of the characters and is so long as `size_at` says; 0 is none.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_each(std::string_view text,
                                                          std::string_view beginnings,
                                                          auto size_at) {
  MaskedPlaceholders masked{.text = std::string(text), .places = {}};
  for (std::size_t at = 0; (at = text.find_first_of(beginnings, at)) != std::string_view::npos;) {
    const std::size_t size = size_at(at);
    std::fill_n(masked.text.begin() + static_cast<std::ptrdiff_t>(at), size, filler);
    if (size > 0) {
      masked.places.push_back(
          {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)});
    }
    at += std::max<std::size_t>(size, 1);
  }
  if (masked.places.empty()) return std::nullopt;
  return masked;
}

}  // namespace

std::optional<MaskedPlaceholders> mask_placeholders(std::string_view text) {
  return mask_each(text, "${%@", [&](std::size_t at) {
    const bool begins_value =
        at == 0 || std::string_view(" \t\n[,").find(text[at - 1]) != std::string_view::npos;
    return placeholder_at(text.substr(at), begins_value);
  });
}

std::optional<MaskedPlaceholders> mask_names_in_braces(std::string_view text) {
  return mask_each(text, "{", [&](std::size_t at) { return name_in_braces(text.substr(at)); });
}

void unmask(Document& document, std::string_view masked, std::string_view text) {
  for (NodeIndex i = 0; i < document.nodes.size(); ++i) {
    NodeData& node = document.nodes[i];
    const Extent extent{node.begin, node.end};
    const auto own = [&](std::string_view whole) {
      return whole.substr(extent.begin, extent.end - extent.begin);
    };
    if (lies_in(node.text, masked)) {
      node.text = moved(node.text, masked, text);
    } else if (node.kind == NodeKind::scalar && own(masked) != own(text)) {
      node.text = document.strings.emplace_front(unmask_decoded(Node(document, i), masked, text));
    }
    if (node.kind == NodeKind::scalar && own(masked) != own(text)) node.opaque = true;
  }
  for (NodeProperties& properties : document.properties) {
    properties.anchor = moved(properties.anchor, masked, text);
    properties.tag = moved(properties.tag, masked, text);
  }
}

}  // namespace gpulint
