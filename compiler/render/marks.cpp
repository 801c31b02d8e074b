#include "compiler/render/marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::render {
namespace {

constexpr std::size_t first_number = 20011;
constexpr std::size_t last_number = 65535;
constexpr std::size_t most_texts = 10'000;
constexpr std::size_t mark_size = 8;  // zq0042qz

[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] std::string text_mark(std::size_t i) { return fmt::format("zq{:04}qz", i); }

/// The number in a mark at the begin of the text; letters may have become capitals.
[[nodiscard]] std::optional<std::size_t> read_mark(std::string_view text) {
  if (text.size() < mark_size) return std::nullopt;
  const std::string_view mark = text.substr(0, mark_size);
  if (!equal_fold(mark.substr(0, 2), "zq") || !equal_fold(mark.substr(6), "qz")) {
    return std::nullopt;
  }
  std::size_t number = 0;
  for (const char c : mark.substr(2, 4)) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

/// The digits at the begin of the text.
[[nodiscard]] std::string_view leading_digits(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// The number that replaces leaf `i`, if `digits` are it.
[[nodiscard]] std::optional<std::size_t> read_number(std::string_view digits) {
  if (digits.size() != 5) return std::nullopt;
  std::size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (number < first_number || number > last_number) return std::nullopt;
  return number - first_number;
}

/// Calls `visit(begin, size, leaf)` for each possible mark of a text.
void each_mark(std::string_view text, auto&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (const auto mark = read_mark(rest)) {
      visit(at, mark_size, *mark, false);
      at += mark_size;
    } else if (is_digit(rest.front())) {
      const std::string_view digits = leading_digits(rest);
      if (const auto number = read_number(digits)) visit(at, digits.size(), *number, true);
      at += digits.size();
    } else {
      ++at;
    }
  }
}

/// Where the text of a scalar ends in the file, before a quote or the line breaks of a block.
[[nodiscard]] std::size_t end_of_text(Node node, std::string_view source) {
  std::size_t end = node.span().end;
  switch (node.style()) {
    case Style::single_quoted:
    case Style::double_quoted:
      return end - 1;
    case Style::literal:
    case Style::folded:
      while (end > node.span().begin &&
             std::string_view(" \t\r\n").find(source[end - 1]) != std::string_view::npos)
        --end;
      return end;
    default:
      return end;
  }
}

[[nodiscard]] std::size_t begin_of_text(Node node) {
  const bool is_quoted =
      node.style() == Style::single_quoted || node.style() == Style::double_quoted;
  return node.span().begin + (is_quoted ? 1 : 0);
}

struct Insertion {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

}  // namespace

bool is_markable_number(std::string_view text) {
  constexpr auto units = std::to_array<std::string_view>(
      {"", "m", "k", "K", "M", "G", "T", "P", "E", "n", "u", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"});
  const std::string_view whole = leading_digits(text);
  if (whole.empty()) return false;
  text.remove_prefix(whole.size());
  if (text.starts_with('.')) {
    const std::string_view fraction = leading_digits(text.substr(1));
    text.remove_prefix(1 + fraction.size());
  }
  return std::ranges::find(units, text) != units.end();
}

bool is_switch(Node scalar) {
  if (scalar.is_null()) return true;
  constexpr auto words = std::to_array<std::string_view>(
      {"true", "false", "yes", "no", "on", "off", "y", "n", "null"});
  const std::string text = to_lower(scalar.text());
  return std::ranges::find(words, text) != words.end();
}

Marks::Marks(std::vector<std::string_view> sources, std::vector<Leaf> leaves)
    : sources_(std::move(sources)), leaves_(std::move(leaves)) {
  leaves_.resize(std::min(leaves_.size(), most_texts));
}

Changed Marks::texts(std::span<const std::size_t> chosen) const {
  std::map<std::size_t, std::vector<Insertion>> insertions;
  for (const std::size_t i : chosen) {
    const Leaf& leaf = leaves_[i];
    const std::size_t end = end_of_text(leaf.node, sources_[leaf.source]);
    if (leaf.kind == Leaf::Kind::number) {
      insertions[leaf.source].push_back(
          {begin_of_text(leaf.node), end, fmt::format("{}", first_number + i)});
    } else {
      insertions[leaf.source].push_back({end, end, text_mark(i)});
    }
  }
  Changed changed;
  for (auto& [source, list] : insertions) {
    std::ranges::sort(list, {}, &Insertion::begin);
    std::string& text = changed[source];
    std::size_t copied = 0;
    for (const Insertion& each : list) {
      text += sources_[source].substr(copied, each.begin - copied);
      text += each.text;
      copied = each.end;
    }
    text += sources_[source].substr(copied);
  }
  return changed;
}

std::vector<std::size_t> Marks::find(std::string_view text, std::string_view plain) const {
  std::vector<std::size_t> found;
  each_mark(text, [&](std::size_t, std::size_t, std::size_t leaf, bool is_number) {
    if (leaf >= leaves_.size() || (leaves_[leaf].kind == Leaf::Kind::number) != is_number) return;
    if (is_number && plain.find(fmt::format("{}", first_number + leaf)) != plain.npos) return;
    if (std::ranges::find(found, leaf) == found.end()) found.push_back(leaf);
  });
  return found;
}

std::string Marks::without(std::string_view text) const {
  std::string result;
  std::size_t copied = 0;
  each_mark(text, [&](std::size_t at, std::size_t size, std::size_t leaf, bool is_number) {
    if (leaf >= leaves_.size() || (leaves_[leaf].kind == Leaf::Kind::number) != is_number) return;
    result += text.substr(copied, at - copied);
    if (is_number) result += leaves_[leaf].node.text();
    copied = at + size;
  });
  return result += text.substr(copied);
}

std::string Marks::marked(std::size_t i) const {
  const Leaf& leaf = leaves_[i];
  if (leaf.kind == Leaf::Kind::number) return fmt::format("{}", first_number + i);
  const std::string_view text = leaf.node.text();
  std::size_t end = text.size();
  const bool is_block = leaf.node.style() == Style::literal || leaf.node.style() == Style::folded;
  while (is_block && end > 0 &&
         std::string_view(" \t\r\n").find(text[end - 1]) != std::string_view::npos)
    --end;
  return std::string(text.substr(0, end)) + text_mark(i) + std::string(text.substr(end));
}

}  // namespace gpulint::render
