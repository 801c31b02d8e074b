#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

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
  return rest.substr(0, std::min(rest.find(", used:"), rest.find(", limited:")));
}

}  // namespace

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
  if (is_class && found == line) return;  // the words of something else
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

}  // namespace gpulint::events
