#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

namespace gpulint::events {
namespace {

constexpr std::string_view available = "nodes are available";
constexpr std::string_view unavailable = "nodes are unavailable";

/// Where `0/5 ` begins that stands before `at`, and the second number.
struct Fraction {
  std::size_t begin = 0;
  std::int64_t whole = 0;
};
[[nodiscard]] std::optional<Fraction> fraction_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 &&
         (is_digit(text[begin - 1]) || text[begin - 1] == '/' || text[begin - 1] == ' ') &&
         at - begin < 24) {
    --begin;
  }
  std::string_view words = text.substr(begin, at - begin);
  const std::size_t slash = words.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto whole = take_count(trim(words.substr(slash + 1)).empty()
                                    ? std::string_view()
                                    : words.substr(words.find_first_not_of(' ', slash + 1)));
  std::size_t first = slash;
  while (first > 0 && words[first - 1] == ' ') --first;
  const std::size_t digits_end = first;
  while (first > 0 && is_digit(words[first - 1])) --first;
  if (!whole || first == digits_end) return std::nullopt;
  return Fraction{begin + first, whole->count};
}

/// Whether a clause begins behind the comma at `at`: a number, and words.
[[nodiscard]] bool is_next_clause(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with(", ") && take_count(text.substr(at + 2)).has_value();
}

/// The end of a list of clauses: a period that no name goes on behind, or what ends its line.
[[nodiscard]] std::size_t list_end(std::string_view text, std::size_t at) {
  const std::size_t limit = at + std::min(longest_message, text.size() - at);
  const auto ends_list = [](char c) { return ends_line(c) || c == '"'; };
  for (; at < limit && !ends_list(text[at]); ++at) {
    if (text[at] != '.') continue;
    const char next = at + 1 < limit ? text[at + 1] : '\n';
    if (ends_list(next) || next == ' ' || next == '.' || next == '\'') break;
  }
  return at;
}

/// `2 Insufficient cpu, 1 node(s) had …` in [begin, end).
void read_list(Reading& reading, std::size_t begin, std::size_t end, Event& event) {
  for (std::size_t at = begin; at < end;) {
    std::size_t next = at;
    while (next < end && !is_next_clause(reading.text, next)) ++next;
    const Part part = part_of(reading.text, at, next);
    const auto counted = take_count(part.text);
    if (!part.text.empty()) {
      Claim claim = read_clause(counted ? counted->rest : part.text, part);
      if (counted) claim.count = counted->count;
      event.claims.push_back(std::move(claim));
    }
    at = next < end ? next + 2 : end;
  }
}

/// What one preempts is said behind the rest, as a message of the same form.
[[nodiscard]] bool is_about_preemption(std::string_view text, std::size_t begin) {
  const std::size_t from = begin - std::min<std::size_t>(begin, 16);
  return trim(text.substr(from, begin - from)).ends_with("preemption:");
}

}  // namespace

void read_nodes_available(Reading& reading, std::size_t at) {
  const auto fraction = fraction_before(reading.text, at);
  if (!fraction) return;
  const bool is_volcano = reading.text.substr(at).starts_with(unavailable);
  std::size_t begin = at + (is_volcano ? unavailable : available).size();
  const bool has_list = begin < reading.text.size() && reading.text[begin] == ':';
  const std::size_t end = has_list ? list_end(reading.text, ++begin) : begin;
  constexpr std::size_t nearby = 100;
  const bool has_first =
      !reading.events.empty() && fraction->begin - reading.events.back().end < nearby;
  if (has_first && is_about_preemption(reading.text, fraction->begin)) {
    Event& event = reading.events.back();
    read_list(reading, begin, end, event);
    event.text = part_of(reading.text, event.begin, end).text;
    event.end = end;
    return;
  }
  Event& event =
      add_event(reading, is_volcano ? Speaker::volcano : Speaker::scheduler, fraction->begin, end);
  event.total = fraction->whole;
  read_list(reading, begin, end, event);
}

void read_predicates(Reading& reading, std::size_t at) {
  const std::size_t line = line_end(reading.text, at);
  const std::size_t list = find_before(reading.text, ":", at, line);
  if (list == line) return;
  const std::size_t begin = std::min(reading.text.find_first_not_of(": ", list), line);
  const std::size_t end = list_end(reading.text, begin);
  Event& event = add_event(reading, Speaker::scheduler, at, end);
  for (std::size_t from = begin; from < end;) {
    const std::size_t comma = find_before(reading.text, ", ", from, end);
    const Part part = part_of(reading.text, from, comma);
    Claim claim = read_clause(part.text.substr(0, part.text.rfind(" (")), part);
    const std::size_t open = part.text.rfind('(');
    if (open != std::string_view::npos) {
      std::string number(part.text.substr(open + 1));
      std::ranges::replace(number, ')', ' ');
      if (const auto count = take_count(number)) claim.count = count->count;
    }
    if (!part.text.empty()) event.claims.push_back(std::move(claim));
    from = comma < end ? comma + 2 : end;
  }
}

void read_cannot_schedule(Reading& reading, std::size_t at) {
  const std::size_t begin = reading.text.find(':', at) + 1;
  const std::size_t end = list_end(reading.text, begin);
  Event& event = add_event(reading, Speaker::scheduler, at, end);
  read_list(reading, begin, end, event);
}

void read_scale_up(Reading& reading, std::size_t at) {
  const std::string_view rest = reading.text.substr(at);
  const bool is_refusal = contains(rest.substr(0, 16), "didn't");
  const std::size_t line = line_end(reading.text, at);
  const std::size_t list = find_before(reading.text, ":", at, line);
  const std::size_t end = is_refusal && list < line ? list_end(reading.text, list) : line;
  Event& event = add_event(reading, Speaker::cluster_autoscaler, at, end);
  if (!is_refusal) {
    event.claims.push_back(make_claim(ClaimKind::scale_up, part_of(reading.text, at, end)));
    return;
  }
  if (list < line) read_list(reading, list + 1, end, event);
  if (event.claims.empty()) {
    event.claims.push_back(make_claim(ClaimKind::no_machine, part_of(reading.text, at, end)));
  }
}

void read_scale_up_log(Reading& reading, std::size_t at) {
  const std::size_t line = line_end(reading.text, at);
  std::size_t begin = find_before(reading.text, "eason: ", at, line);  // of the oldest
  begin = begin < line ? begin + 7 : std::min(find_before(reading.text, ": ", at, line) + 2, line);
  const std::size_t end = find_before(reading.text, ";", begin, line);
  Event& event = add_event(reading, Speaker::cluster_autoscaler, at, end);
  const Part part = part_of(reading.text, begin, end);
  if (!part.text.empty()) event.claims.push_back(read_clause(part.text, part));
  const std::string_view pool = word_behind(row_before(reading.text, at), "can't be scheduled on ");
  for (Claim& claim : event.claims) claim.pool = pool;
}

}  // namespace gpulint::events
