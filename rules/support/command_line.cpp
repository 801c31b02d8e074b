#include "rules/support/command_line.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "rules/support/command_text.h"

namespace gpulint::rules {
namespace {

/// Values are not read beyond this many bytes, so that unclosed quotes cost little.
constexpr std::size_t longest_value = 4096;

/// Part of a text of `scalar`'s file, by offsets into `text`, which starts at `base`.
[[nodiscard]] Span span_at(Node scalar, std::size_t begin, std::size_t end) {
  return {scalar.span().file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// The quote at `at`, escaped or not; empty where there is none.
[[nodiscard]] std::string_view quote_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  for (const std::string_view quote : {"\\\"", "\"", "'"}) {
    if (rest.starts_with(quote)) return rest.substr(0, quote.size());
  }
  return {};
}

/// Reads the value that begins at `at`; nothing where there is none.
[[nodiscard]] FlagUse read_value(std::string_view text, std::size_t at, std::size_t end,
                                 Node scalar) {
  const std::string_view quote = quote_at(text, at);
  const std::size_t begin = at + quote.size();
  text = text.substr(0, std::min(end, begin + longest_value));
  const std::size_t found =
      quote.empty() ? text.find_first_of(" \t\r\n\"'\\;|&", begin) : text.find(quote, begin);
  const std::size_t stop = std::min(found, text.size());
  const std::size_t after = quote.empty() ? stop : std::min(stop + quote.size(), end);
  return {scalar, {}, span_at(scalar, at, after), span_at(scalar, begin, stop)};
}

/// The scalar's text between its quotes.
[[nodiscard]] Span inner_span(Node scalar) {
  Span span = scalar.span();
  const bool quoted =
      scalar.style() == Style::single_quoted || scalar.style() == Style::double_quoted;
  if (quoted && span.size() >= 2) {
    ++span.begin;
    --span.end;
  }
  return span;
}

void find_in_text(std::string_view text, Node scalar, std::string_view name,
                  std::vector<FlagUse>& found) {
  const std::string flag = "--" + std::string(name);
  std::optional<CommandText> commands;  // made for the few scalars that hold the flag
  const std::size_t end = inner_span(scalar).end;
  text = text.substr(0, end);  // so that no search runs beyond the scalar
  for (std::size_t at = text.find(flag, scalar.span().begin); at < end;
       at = text.find(flag, at + 1)) {
    const std::size_t after = at + flag.size();
    if (after >= end || (text[after] != '=' && text[after] != ' ')) continue;
    FlagUse use = read_value(text, after + 1, end, scalar);
    if (use.value.empty()) continue;
    if (!commands) commands.emplace(text, scalar);
    if (!commands->is_given(at, use.flag.end)) continue;
    use.flag.begin = static_cast<std::uint32_t>(at);
    found.push_back(use);
  }
}

[[nodiscard]] bool is_flag_name(std::string_view text, std::string_view name) {
  return text == name || (text.starts_with("--") && text.substr(2) == name);
}

/// A flag alone on one line of a longer command goes with its line; as the last one with the
/// backslash that leads to it.
[[nodiscard]] Span with_continuation(std::string_view text, Span flag, Node scalar) {
  const Span own = scalar.span();
  text = text.substr(0, own.end);
  const std::size_t begin = text.rfind('\n', flag.begin) + 1;
  if (scalar.style() != Style::literal || begin <= own.begin + 1) return flag;
  if (!trim(text.substr(begin, flag.begin - begin)).empty()) return flag;
  const std::size_t end = std::min(text.find('\n', flag.end), text.size());
  const std::string_view after = trim(text.substr(flag.end, end - flag.end));
  if (after == "\\") return span_at(scalar, begin, std::min(end + 1, text.size()));
  const std::size_t last = text.find_last_not_of(" \t\r\n", begin - 1);
  if (!after.empty() || last <= own.begin || text[last] != '\\') return flag;
  return span_at(scalar, text.find_last_not_of(" \t", last - 1) + 1, flag.end);
}

[[nodiscard]] bool is_editable(const SourceSet& sources, const FlagUse& use) {
  return sources.file(use.value).encoding() == SourceFile::Encoding::utf8;
}

}  // namespace

std::vector<FlagUse> find_flag(const SourceSet& sources, Node root, std::string_view name) {
  std::vector<FlagUse> found;
  if (!root) return found;
  const std::string_view text = sources.file(root.span()).text();
  Node before;  // the scalar met last, which is the item before where items are scalars
  walk(root, [&](Node node) {
    if (!node.is_scalar()) return;
    const bool follows = is_flag_name(before.text(), name) && node.parent().is_sequence() &&
                         before.parent() == node.parent();
    const Node named = follows ? before : Node{};
    before = node;
    if (is_flag_name(node.key().text(), name) || named) {
      const Span value = inner_span(node);
      const Span no_flag = span_at(node, value.begin, value.begin);
      if (!value.empty()) found.push_back({node, named, no_flag, value});
      return;
    }
    find_in_text(text, node, name, found);
  });
  return found;
}

std::vector<Edit> remove_flag(const SourceSet& sources, const FlagUse& use) {
  if (!is_editable(sources, use)) return {};
  if (use.flag.empty()) {
    std::vector<Edit> edits = remove_entry(sources, use.scalar);
    if (!use.name || edits.empty()) return edits;
    std::vector<Edit> name = remove_entry(sources, use.name);
    if (name.empty()) return {};
    std::ranges::copy(edits, std::back_inserter(name));
    return name;
  }
  if (use.flag == inner_span(use.scalar)) return remove_entry(sources, use.scalar);
  const std::string_view text = sources.file(use.flag).text();
  Span gone = with_continuation(text, use.flag, use.scalar);
  if (gone != use.flag) return {{gone, ""}};
  if (gone.begin > use.scalar.span().begin && text[gone.begin - 1] == ' ') --gone.begin;
  return {{gone, ""}};
}

std::vector<Span> flag_items(const SourceSet& sources, const FlagUse& use) {
  const std::string_view text = sources.file(use.value).text();
  std::vector<Span> items;
  std::size_t begin = use.value.begin;
  while (begin <= use.value.end) {
    const std::size_t end = std::min<std::size_t>(text.find(',', begin), use.value.end);
    const std::string_view item = trim(text.substr(begin, end - begin));
    if (!item.empty()) {
      const auto at = static_cast<std::size_t>(item.data() - text.data());
      items.push_back(span_at(use.scalar, at, at + item.size()));
    }
    begin = end + 1;
  }
  return items;
}

std::vector<Edit> remove_flag_item(const SourceSet& sources, const FlagUse& use,
                                   const std::vector<Span>& items, std::size_t index) {
  if (!is_editable(sources, use)) return {};
  if (items.size() <= 1) return remove_flag(sources, use);
  Span gone = items[index];
  if (index + 1 < items.size()) {
    gone.end = items[index + 1].begin;
  } else {
    gone.begin = items[index - 1].end;
  }
  return {{gone, ""}};
}

}  // namespace gpulint::rules
