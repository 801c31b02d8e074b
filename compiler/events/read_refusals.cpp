#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/events/claims.h"

namespace gpulint::events {
namespace {

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

/// What stands in a refused quota's list `name`, up to the next list.
[[nodiscard]] std::string_view list_of(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + name.size());
  return rest.substr(0, rest.find(", used:") == std::string_view::npos ? rest.find(", limited:")
                                                                       : rest.find(", used:"));
}

Event& add_refusal(Reading& reading, std::size_t at, std::size_t end, ClaimKind kind) {
  Event& event = add_event(reading, Speaker::api_server, at, end);
  event.claims.push_back(make_claim(kind, part_of(reading.text, at, end)));
  return event;
}

}  // namespace

void read_exceeded_quota(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::string_view requested = list_of(text, "requested: ");
  if (requested.empty()) return;
  Event& event = add_event(reading, Speaker::api_server, at, end);
  for (std::string_view rest = requested; !rest.empty();) {
    const std::string_view entry = take_part(rest, ',');
    const std::string_view resource = trim(entry.substr(0, entry.find('=')));
    Claim claim = make_claim(ClaimKind::quota, part_of(reading.text, at, end));
    claim.key = resource;
    claim.pool = word_behind(text, "exceeded quota: ");
    claim.value = std::string(amount_of(requested, resource)) + " requested, " +
                  std::string(amount_of(list_of(text, "used: "), resource)) + " used, " +
                  std::string(amount_of(list_of(text, "limited: "), resource)) + " limited";
    event.claims.push_back(std::move(claim));
  }
}

void read_failed_quota(Reading& reading, std::size_t at) {
  constexpr std::string_view demand = "must specify ";
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::size_t found = text.find(demand);
  if (found == std::string_view::npos) return;
  Claim& claim = add_refusal(reading, at, end, ClaimKind::quota).claims.front();
  claim.pool = word_behind(text, "failed quota: ");
  claim.value = trim(text.substr(found + demand.size()));
}

void read_quota_of_scopes(Reading& reading, std::size_t at) {
  add_refusal(reading, at, line_end(reading.text, at), ClaimKind::quota);
}

void read_pod_security(Reading& reading, std::size_t at) {
  Event& event = add_refusal(reading, at, line_end(reading.text, at), ClaimKind::pod_security);
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
  if (is_class && found == line) return;  // the words of something else
  Event& event = add_refusal(reading, at, end, ClaimKind::missing_object);
  Claim& claim = event.claims.front();
  claim.key = is_class ? "RuntimeClass" : "PriorityClass";
  claim.value = is_class ? between(text, "\"", "\"") : word_behind(text, "with name ");
}

void read_invalid_amount(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  const std::string_view text = reading.text.substr(at, end - at);
  const std::string_view resource = word_behind(text, "must be equal to ");
  const bool is_limit = contains(text, std::string(resource) + " limit");
  if (!resource.empty() && !is_limit) return;  // another field of another object
  add_refusal(reading, at, end, ClaimKind::invalid_amount).claims.front().key = resource;
}

void read_no_runtime(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  Event& event = add_event(reading, Speaker::runtime, at, end);
  Claim claim = make_claim(ClaimKind::missing_runtime, part_of(reading.text, at, end));
  claim.key = between(event.text, "\"", "\"");
  if (claim.key.empty()) claim.key = word_behind(event.text, "runtime handler ");
  event.claims.push_back(std::move(claim));
}

void read_no_driver(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  Event& event = add_event(reading, Speaker::runtime, at, end);
  event.claims.push_back(make_claim(ClaimKind::missing_driver, part_of(reading.text, at, end)));
}

void read_unresolvable_device(Reading& reading, std::size_t at) {
  const std::size_t end = line_end(reading.text, at);
  Event& event = add_event(reading, Speaker::runtime, at, end);
  Claim claim = make_claim(ClaimKind::missing_device, part_of(reading.text, at, end));
  claim.key = word_behind(event.text, "CDI devices ");
  event.claims.push_back(std::move(claim));
}

}  // namespace gpulint::events
