#include <algorithm>
#include <cstddef>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/events/claims.h"

namespace gpulint::events {

void read_allocation(Reading& reading, std::size_t at) {
  const std::size_t line = line_end(reading.text, at);
  const std::size_t end = find_before(reading.text, ", which is unexpected", at, line);
  Event& event = add_event(reading, Speaker::kubelet, at, end);
  const Part part = part_of(reading.text, at, end);
  Claim claim = make_claim(ClaimKind::allocation_failed, part);
  claim.key = word_behind(part.text, "unavailable for ");
  if (claim.key.empty()) claim.key = word_behind(part.text, "unhealthy devices ");
  const std::size_t amounts = part.text.find("Requested:");
  if (amounts != std::string_view::npos) claim.value = part.text.substr(amounts);
  event.claims.push_back(std::move(claim));
}

void read_refusal(Reading& reading, std::size_t at) {
  const std::size_t line = find_before(reading.text, "\"", at, line_end(reading.text, at));
  const std::size_t end = find_before(reading.text, "|", at, line);
  Event& event = add_event(reading, Speaker::kubelet, at, end);
  const Part part = part_of(reading.text, at, end);
  Claim claim = make_claim(ClaimKind::insufficient_resource, part);
  claim.key = word_behind(part.text, "resource: ");
  const std::size_t comma = part.text.find(", ");
  if (comma != std::string_view::npos) claim.value = part.text.substr(comma + 2);
  claim.count = 1;
  event.claims.push_back(std::move(claim));
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
  Event& event = add_event(reading, Speaker::kubelet, at, end);
  Claim claim = make_claim(ClaimKind::insufficient_resource, part_of(reading.text, at, end));
  claim.key = resource;
  claim.count = 1;
  event.claims.push_back(std::move(claim));
}

}  // namespace gpulint::events
