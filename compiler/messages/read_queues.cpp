#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

namespace gpulint::events {
namespace {

/// How Kueue begins what it has against one flavor.
constexpr auto clause_starts = std::to_array<std::string_view>(
    {"insufficient ", "flavor ", "Flavor ", "untolerated ", "resource ", "borrowing ", "topology ",
     "no topology ", "couldn't "});

[[nodiscard]] std::size_t next_clause(std::string_view text, std::size_t at, std::size_t end) {
  for (; at < end; ++at) {
    const std::string_view rest = text.substr(at, end - at);
    if (!rest.starts_with(", ") && !rest.starts_with("; ")) continue;
    if (std::ranges::any_of(clause_starts, [&](std::string_view start) {
          return rest.substr(2).starts_with(start);
        })) {
      return at;
    }
  }
  return end;
}

[[nodiscard]] Claim read_flavor(const Part& part) {
  const std::string_view words = part.text;
  Claim claim = read_clause(words.starts_with("insufficient ") ? std::string_view() : words, part);
  if (contains(words, "quota for ") || contains(words, "borrowing limit for ")) {
    claim.kind = ClaimKind::quota;
    claim.key = word_behind(words, " for ");
    const std::size_t comma = words.find(", ");
    if (comma != std::string_view::npos) claim.value = words.substr(comma + 2);
  } else if (contains(words, " unavailable in ClusterQueue")) {
    claim.kind = ClaimKind::quota;
    claim.key = word_behind(words, "resource ");
  } else if (contains(words, "topology")) {
    claim.kind = ClaimKind::topology_spread;
  }
  claim.pool = word_behind(words, "in flavor ");
  if (claim.pool.empty()) claim.pool = word_behind(words, "lavor ");
  return claim;
}

/// The end of a sentence, or of what a table or log has on the line.
[[nodiscard]] std::size_t sentence_end(std::string_view text, std::size_t at) {
  const std::size_t end = find_before(text, "\"", at, line_end(text, at));
  return find_before(text, ". ", at, end);
}

}  // namespace

void read_kueue(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  std::size_t from = find_before(reading.text, ": ", at, end);
  Event& event = add_event(reading, Speaker::kueue, at, end);
  if (from >= end) return;
  for (from += 2; from < end;) {
    const std::size_t to = next_clause(reading.text, from, end);
    Part part = part_of(reading.text, from, to);
    while (part.text.ends_with('.') || part.text.ends_with('"')) part.text.remove_suffix(1);
    if (!part.text.empty()) event.claims.push_back(read_flavor(part));
    from = to < end ? to + 2 : end;
  }
}

void read_volcano_gang(Reading& reading, std::size_t at) {
  const std::size_t begin = reading.text.find_last_of(" \n\t'\"`:,;", at == 0 ? 0 : at - 2) + 1;
  const std::size_t end = sentence_end(reading.text, at);
  Event& event = add_single(reading, Speaker::volcano, ClaimKind::gang, begin, end);
  Claim& claim = event.claims.front();
  std::string_view fraction = reading.text.substr(begin, at - begin);
  std::string first(take_part(fraction, '/'));
  first += ' ';
  if (const auto count = take_count(fraction)) event.total = count->count;
  if (const auto count = take_count(first)) claim.count = count->count;
  const std::string_view words = event.text;
  const std::size_t minimum = words.find(" minAvailable");
  if (minimum != std::string_view::npos) {
    const std::size_t word = words.rfind(' ', minimum - 1);
    claim.value = std::string(words.substr(word + 1, minimum - word - 1)) + " minAvailable";
  }
}

void read_volcano_overused(Reading& reading, std::size_t at) {
  add_single(reading, Speaker::volcano, ClaimKind::quota, at, sentence_end(reading.text, at));
}

void read_kai(Reading& reading, std::size_t at) {
  const std::size_t line = sentence_end(reading.text, at);
  const std::size_t end = find_before(reading.text, ", task:", at, line);
  Event& event = add_event(reading, Speaker::kai, at, end);
  std::size_t from = find_before(reading.text, ": ", at, end);
  if (from >= end) return;
  for (from += 2; from < end;) {
    const std::size_t to = find_before(reading.text, ", ", from, end);
    Part part = part_of(reading.text, from, to);
    while (part.text.ends_with('.')) part.text.remove_suffix(1);
    const auto counted = take_count(part.text);
    Claim claim = read_clause(counted ? counted->rest : part.text, part);
    if (counted) claim.count = counted->count;
    if (contains(part.text, "enough resources: ")) {
      claim.kind = ClaimKind::insufficient_resource;
      claim.key = word_behind(part.text, "enough resources: ");
    }
    if (!part.text.empty()) event.claims.push_back(std::move(claim));
    from = to < end ? to + 2 : end;
  }
}

void read_kai_gang(Reading& reading, std::size_t at) {
  Event& event =
      add_single(reading, Speaker::kai, ClaimKind::gang, at, sentence_end(reading.text, at));
  const auto number = [&](std::string_view before) {
    const auto count = take_count(std::string(word_behind(event.text, before)) + " ");
    return count ? std::optional(count->count) : std::nullopt;
  };
  event.claims.front().count = number("found for ");
  event.total = number("while ");
}

void read_kai_quota(Reading& reading, std::size_t at) {
  const std::string_view row = row_before(reading.text, at);
  const std::size_t begin = at - row.size() + (row.find_last_of("'\"`:.") + 1);
  const std::size_t end = find_before(reading.text, "\"", at, line_end(reading.text, at));
  Event& event = add_single(reading, Speaker::kai, ClaimKind::quota, begin, end);
  event.claims.front().key = word_behind(event.text, "allowable limit of ");
}

}  // namespace gpulint::events
