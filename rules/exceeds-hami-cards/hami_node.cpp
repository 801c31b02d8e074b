#include "rules/exceeds-hami-cards/hami_node.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint::rules::exceeds_hami_cards {
namespace {

constexpr std::string_view register_key = "hami.io/node-nvidia-register";

[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text) {
  text = trim(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size() && number >= 0;
  return is_whole ? std::optional(number) : std::nullopt;
}

[[nodiscard]] std::optional<HamiCards> parse_lines(std::string_view text) {
  HamiCards cards;
  while (!text.empty()) {
    std::string_view card = take_part(text, ':');
    if (trim(card).empty()) continue;
    static_cast<void>(take_part(card, ','));  // the UUID
    static_cast<void>(take_part(card, ','));  // into how many shares it is split
    const auto memory = parse_count(take_part(card, ','));
    if (!memory) return std::nullopt;
    ++cards.cards;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.cards == 0 ? std::nullopt : std::optional(cards);
}

/// Each card has an `id`; Go leaves out what is zero.
[[nodiscard]] std::optional<HamiCards> parse_json(std::string_view text) {
  constexpr std::string_view memory_key = "\"devmem\":";
  HamiCards cards;
  for (std::size_t at = text.find("\"id\":"); at != text.npos; at = text.find("\"id\":", at + 1)) {
    ++cards.cards;
  }
  for (std::size_t at = text.find(memory_key); at != text.npos;
       at = text.find(memory_key, at + 1)) {
    const std::string_view rest = text.substr(at + memory_key.size());
    const auto memory = parse_count(rest.substr(0, rest.find_first_of(",}")));
    if (!memory) return std::nullopt;
    cards.largest_memory = std::max(cards.largest_memory, *memory);
  }
  return cards.cards == 0 ? std::nullopt : std::optional(cards);
}

}  // namespace

std::optional<HamiCards> parse_hami_cards(std::string_view text) {
  text = trim(text);
  return text.starts_with('[') ? parse_json(text) : parse_lines(text);
}

std::optional<HamiCards> hami_cards(const NodePool& pool) {
  if (pool.source != NodePool::Source::node) return std::nullopt;
  const Field<std::string> text =
      read_string(pool.node.at("metadata", "annotations"), register_key);
  if (!text.is_known()) return std::nullopt;
  auto cards = parse_hami_cards(text.value());
  if (cards) cards->node = text.node();
  return cards;
}

}  // namespace gpulint::rules::exceeds_hami_cards
