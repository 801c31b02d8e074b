#include <algorithm>
#include <cstddef>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

namespace gpulint::events {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

}  // namespace

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

}  // namespace gpulint::events
