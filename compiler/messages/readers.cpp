#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

namespace gpulint::events {
namespace {

/// The paths of fields in text[at, end).
[[nodiscard]] std::vector<Part> find_fields(std::string_view text, std::size_t at,
                                            std::size_t end) {
  constexpr std::size_t most_fields = 8;
  constexpr std::string_view field = "spec.";
  std::vector<Part> fields;
  while (fields.size() < most_fields) {
    const std::size_t begin = find_before(text, field, at, end);
    if (begin == end) break;
    at = std::min(text.substr(0, end).find_first_of(" ,;:)\"'", begin), end);
    if (begin == 0 || !is_alphanumeric(text[begin - 1])) {
      fields.push_back(part_of(text, begin, at));
    }
  }
  return fields;
}

/// `nvidia.com/gpu=true:NoSchedule`, if the words contain a taint.
void read_pool_taint(std::string_view words, Claim& claim) {
  std::string_view taint = word_behind(words, "did not tolerate ");
  if (taint == "taint") taint = word_behind(words, "(taint=");
  const std::string_view pair = taint.substr(0, taint.rfind(':'));
  const std::size_t equals = pair.find('=');
  claim.key = pair.substr(0, equals);
  if (equals != std::string_view::npos) claim.value = pair.substr(equals + 1);
}

/// The device in `{"cpu":"1","nvidia.com/gpu":"2"}`: the only name with a domain.
void read_device(std::string_view words, Claim& claim) {
  const std::size_t slash = words.find('/');
  const std::size_t open = words.rfind('"', slash);
  if (slash == std::string_view::npos || open == std::string_view::npos) return;
  const std::string_view name = words.substr(open + 1, words.find('"', slash) - open - 1);
  const std::string_view amount = between(words.substr(open + 1), "\":\"", "\"");
  if (amount.empty() || name.find_first_of(" {}[],") != std::string_view::npos) return;
  claim.key = name;
  claim.value = amount;
}

/// The label that the pod requires and the pool lacks.
void read_label(std::string_view words, Claim& claim) {
  claim.key =
      contains(words, "label \"") ? between(words, "label \"", "\"") : word_behind(words, "key ");
  const std::string_view demand = words.substr(0, std::min(words.find(" not in "), words.size()));
  claim.value = between(demand, " In [", "]");
}

[[nodiscard]] std::string_view resources_of(std::string_view words) {
  const std::string_view old_form = between(words, "satisfied resources {", "}");
  return old_form.empty() ? between(words, "resources={", "}") : old_form;
}

/// Why one pool cannot serve the pod.
[[nodiscard]] Claim read_section(const Part& part) {
  const std::string_view words = part.text;
  Claim claim = make_claim(ClaimKind::other, part);
  if (contains(words, "did not tolerate ")) {
    claim.kind = ClaimKind::untolerated_taint;
    read_pool_taint(words, claim);
  } else if (contains(words, "incompatible requirements")) {
    claim.kind = ClaimKind::node_affinity;
    read_label(words, claim);
  } else if (contains(words, "exceed limits")) {
    claim.kind = ClaimKind::pool_limit;
  } else if (contains(words, "no instance type") || contains(words, "filtered out all")) {
    claim.kind = ClaimKind::no_machine;
    read_device(resources_of(words), claim);
  }
  for (const std::string_view word : {"nodepool ", "provisioner ", "nodepool: ", "provisioner: "}) {
    const std::size_t at = words.find(word);
    if (at == std::string_view::npos || words.substr(at + word.size()).substr(0, 1) != "\"")
      continue;
    claim.pool = between(words.substr(at), "\"", "\"");
    break;
  }
  return claim;
}

/// A section ends at a semicolon or with the line.
[[nodiscard]] std::size_t section_end(std::string_view text, std::size_t at, std::size_t end) {
  return find_before(text, "; ", at, end);
}

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The first words of Kueue's reasons against a flavor.
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

/// The end of a sentence, quotation or line.
[[nodiscard]] std::size_t sentence_end(std::string_view text, std::size_t at) {
  const std::size_t end = find_before(text, "\"", at, line_end(text, at));
  return find_before(text, ". ", at, end);
}

/// The amount of a resource in a list `limits.cpu=1,requests.nvidia.com/gpu=2`.
[[nodiscard]] std::string_view amount_of(std::string_view list, std::string_view resource) {
  while (!list.empty()) {
    const std::string_view entry = take_part(list, ',');
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos && trim(entry.substr(0, equals)) == resource) {
      return trim(entry.substr(equals + 1));
    }
  }
  return {};
}

/// The entries of a list of an exceeded quota: `requested: a=1,b=2`.
[[nodiscard]] std::string_view list_of(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + name.size());
  return rest.substr(0, std::min(rest.find(", used:"), rest.find(", limited:")));
}

constexpr std::string_view available = "nodes are available";

constexpr std::string_view unavailable = "nodes are unavailable";

/// `0/5 `: its position and second number.
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

/// Whether a clause (a number and words) begins after the comma at `at`.
[[nodiscard]] bool is_next_clause(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with(", ") && take_count(text.substr(at + 2)).has_value();
}

/// The end of a list of clauses: a period that is not inside a name, or the end of the line.
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

/// A second message of the same form, after the first, is about preemption.
[[nodiscard]] bool is_about_preemption(std::string_view text, std::size_t begin) {
  const std::size_t from = begin - std::min<std::size_t>(begin, 16);
  return trim(text.substr(from, begin - from)).ends_with("preemption:");
}

}  // namespace

void read_karpenter(Reading& reading, std::size_t at) {
  std::size_t end = line_end(reading.text, at, longest_log);
  // Logs have their own fields after the message.
  for (const std::string_view fields : {"\t{", " {\"commit\"", " {\"pod\""}) {
    end = find_before(reading.text, fields, at, end);
  }
  Event& event = add_event(reading, Speaker::karpenter, at, end);
  for (std::size_t from = at; from < end;) {
    const std::size_t to = section_end(reading.text, from, end);
    const Part part = part_of(reading.text, from, to);
    if (!part.text.empty()) event.claims.push_back(read_section(part));
    from = to < end ? to + 2 : end;
  }
}

void read_allocation(Reading& reading, std::size_t at) {
  const std::size_t line = line_end(reading.text, at);
  const std::size_t end = find_before(reading.text, ", which is unexpected", at, line);
  Event& event = add_single(reading, Speaker::kubelet, ClaimKind::allocation_failed, at, end);
  Claim& claim = event.claims.front();
  claim.key = word_behind(event.text, "unavailable for ");
  if (claim.key.empty()) claim.key = word_behind(event.text, "unhealthy devices ");
  const std::size_t amounts = event.text.find("Requested:");
  if (amounts != std::string_view::npos) claim.value = event.text.substr(amounts);
}

void read_refusal(Reading& reading, std::size_t at) {
  const std::size_t line = find_before(reading.text, "\"", at, line_end(reading.text, at));
  const std::size_t end = find_before(reading.text, "|", at, line);
  Event& event = add_single(reading, Speaker::kubelet, ClaimKind::insufficient_resource, at, end);
  Claim& claim = event.claims.front();
  claim.key = word_behind(event.text, "resource: ");
  const std::size_t comma = event.text.find(", ");
  if (comma != std::string_view::npos) claim.value = event.text.substr(comma + 2);
  claim.count = 1;
}

void read_out_of(Reading& reading, std::size_t at) {
  constexpr std::size_t longest_name = 320;  // of a resource: domain and name
  const std::string_view near = reading.text.substr(at, longest_name);
  const std::string_view rest = near.substr(0, line_end(near, 0));
  const std::string_view resource = word_behind(rest, "OutOf");
  const bool is_resource = !resource.empty() && resource.front() >= 'a' &&
                           resource.front() <= 'z' &&
                           (contains(resource, "/") || resource == "cpu" || resource == "memory" ||
                            resource == "pods" || resource == "ephemeral-storage");
  if (!is_resource) return;
  const std::size_t end = at + 5 + resource.size();
  Event& event = add_single(reading, Speaker::kubelet, ClaimKind::insufficient_resource, at, end);
  event.claims.front().key = resource;
  event.claims.front().count = 1;
}

void read_image_pull(Reading& reading, std::size_t at) {
  std::size_t end = line_end(reading.text, at);
  if (end > at && reading.text[end - 1] == '\'') --end;  // of YAML
  const std::string_view message = reading.text.substr(at, end - at);
  const bool is_reason = message.starts_with("Err") || message.starts_with("Image");
  if (is_reason) end = at + std::min(message.find_first_not_of(letters), message.size());
  Event& event = add_single(reading, Speaker::kubelet, ClaimKind::image_pull, at, end);
  if (is_reason) return;
  Claim& claim = event.claims.front();
  claim.key = between(event.text, "\"", "\"");
  const std::size_t cause = event.text.find("\": ");
  if (cause != std::string::npos) claim.value = event.text.substr(cause + 3);
}

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

void read_exceeded_quota(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::string_view requested = list_of(text, "requested: ");
  if (requested.empty()) return;
  const std::string_view used = list_of(text, "used: ");
  const std::string_view limited = list_of(text, "limited: ");
  Event& event = add_event(reading, Speaker::api_server, at, end);
  for (std::string_view rest = requested; !rest.empty();) {
    std::string_view amount = take_part(rest, ',');
    const std::string_view resource = trim(take_part(amount, '='));
    Claim claim = make_claim(ClaimKind::quota, part_of(reading.text, at, end));
    claim.key = resource;
    claim.pool = word_behind(text, "exceeded quota: ");
    claim.value = std::string(trim(amount)) + " requested, " +
                  std::string(amount_of(used, resource)) + " used, " +
                  std::string(amount_of(limited, resource)) + " limited";
    event.claims.push_back(std::move(claim));
  }
}

void read_failed_quota(Reading& reading, std::size_t at) {
  constexpr std::string_view demand = "must specify ";
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::size_t found = text.find(demand);
  if (found == std::string_view::npos) return;
  Claim& claim = add_single(reading, Speaker::api_server, ClaimKind::quota, at, end).claims.front();
  claim.pool = word_behind(text, "failed quota: ");
  claim.value = trim(text.substr(found + demand.size()));
}

/// `maximum memory usage per Container is 4Gi, but limit is 8Gi` (Kubernetes 1.37,
/// plugin/pkg/admission/limitranger).
void read_limit_range(Reading& reading, std::size_t at) {
  const std::size_t line = line_end(reading.text, at);
  const std::size_t begin = reading.text.rfind("imum ", at);
  if (begin == std::string_view::npos || begin < 3 || at - begin > 80) return;
  const std::size_t amount = find_before(reading.text, " is ", at, line);
  const std::size_t end = std::min({find_before(reading.text, ", m", amount, line),
                                    find_before(reading.text, "]", at, line),
                                    find_before(reading.text, "\"", at, line)});
  const std::string_view text = reading.text.substr(begin - 3, end - begin + 3);
  Claim& claim =
      add_single(reading, Speaker::api_server, ClaimKind::quota, begin - 3, end).claims.front();
  claim.key = between(text, "imum ", " usage per ");
  claim.pool = "LimitRange";
  claim.value = fmt::format("{}imum{}", text.substr(0, 3), text.substr(text.find(" usage per ")));
}

void read_quota_of_scopes(Reading& reading, std::size_t at) {
  add_single(reading, Speaker::api_server, ClaimKind::quota, at, line_end(reading.text, at));
}

void read_pod_security(Reading& reading, std::size_t at) {
  Event& event = add_single(reading, Speaker::api_server, ClaimKind::pod_security, at,
                            line_end(reading.text, at));
  const std::string_view level = between(event.text, "\"", "\"");
  event.claims.front().key = level.substr(0, level.find(':'));
}

void read_missing_object(Reading& reading, std::size_t at) {
  constexpr std::string_view not_found = " not found";
  const std::size_t line = line_end(reading.text, at);
  const std::size_t found = find_before(reading.text, not_found, at, line);
  const std::size_t end = found == line ? line : found + not_found.size();
  const std::string_view text = reading.text.substr(at, end - at);
  const bool is_class = text.starts_with("RuntimeClass");
  if (is_class && found == line) return;  // another message
  Claim& claim =
      add_single(reading, Speaker::api_server, ClaimKind::missing_object, at, end).claims.front();
  claim.key = is_class ? "RuntimeClass" : "PriorityClass";
  claim.value = is_class ? between(text, "\"", "\"") : word_behind(text, "with name ");
}

void read_invalid_amount(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::string_view resource = word_behind(text, "must be equal to ");
  const bool is_limit = contains(text, std::string(resource) + " limit");
  if (!resource.empty() && !is_limit) return;  // another field of another object
  Claim& claim =
      add_single(reading, Speaker::api_server, ClaimKind::invalid_amount, at, end).claims.front();
  claim.key = resource;
}

void read_denial(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  const std::vector<Part> fields = find_fields(reading.text, at, end);
  Event& event = add_single(reading, Speaker::api_server, ClaimKind::denied, at, end);
  const std::string webhook(between(event.text, "webhook \"", "\""));
  for (std::size_t i = 1; i < fields.size(); ++i) {
    event.claims.push_back(make_claim(ClaimKind::denied, fields[i]));
  }
  for (std::size_t i = 0; i < event.claims.size(); ++i) {
    event.claims[i].key = webhook;
    if (i < fields.size()) event.claims[i].value = fields[i].text;
  }
}

void read_fraction(Reading& reading, std::size_t at) {
  std::string_view before = reading.text.substr(0, at);
  before.remove_prefix(before.rfind('\n') + 1);  // npos + 1 is 0
  const std::size_t field = before.rfind(".resources.");
  if (field == std::string_view::npos) return;
  before.remove_prefix(field);
  Claim& claim =
      add_single(reading, Speaker::api_server, ClaimKind::fraction, at, line_end(reading.text, at))
          .claims.front();
  claim.key = between(before, "[", "]");
  claim.value = between(before, "Invalid value: ", ":");
}

void read_no_runtime(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  Event& event = add_single(reading, Speaker::runtime, ClaimKind::missing_runtime, at, end);
  Claim& claim = event.claims.front();
  claim.key = between(event.text, "\"", "\"");
  if (claim.key.empty()) claim.key = word_behind(event.text, "runtime handler ");
}

void read_no_driver(Reading& reading, std::size_t at) {
  add_single(reading, Speaker::runtime, ClaimKind::missing_driver, at, line_end(reading.text, at));
}

void read_unresolvable_device(Reading& reading, std::size_t at) {
  Event& event = add_single(reading, Speaker::runtime, ClaimKind::missing_device, at,
                            line_end(reading.text, at));
  event.claims.front().key = word_behind(event.text, "CDI devices ");
}

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
  std::size_t begin = find_before(reading.text, "eason: ", at, line);  // in the oldest form
  begin = begin < line ? begin + 7 : std::min(find_before(reading.text, ": ", at, line) + 2, line);
  const std::size_t end = find_before(reading.text, ";", begin, line);
  Event& event = add_event(reading, Speaker::cluster_autoscaler, at, end);
  const Part part = part_of(reading.text, begin, end);
  if (!part.text.empty()) event.claims.push_back(read_clause(part.text, part));
  const std::string_view pool = word_behind(row_before(reading.text, at), "can't be scheduled on ");
  for (Claim& claim : event.claims) claim.pool = pool;
}

}  // namespace gpulint::events
