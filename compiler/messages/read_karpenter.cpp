#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"

namespace gpulint::events {
namespace {

/// `nvidia.com/gpu=true:NoSchedule`, where one stands.
void read_pool_taint(std::string_view words, Claim& claim) {
  std::string_view taint = word_behind(words, "did not tolerate ");
  if (taint == "taint") taint = word_behind(words, "(taint=");
  const std::string_view pair = taint.substr(0, taint.rfind(':'));
  const std::size_t equals = pair.find('=');
  claim.key = pair.substr(0, equals);
  if (equals != std::string_view::npos) claim.value = pair.substr(equals + 1);
}

/// Of `{"cpu":"1","nvidia.com/gpu":"2"}` the device, the one name with a domain.
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

/// The label that the pod demands and the pool does not have.
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

/// What one pool has against the pod.
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

/// Where a section ends: at a semicolon, or where the line does.
[[nodiscard]] std::size_t section_end(std::string_view text, std::size_t at, std::size_t end) {
  return find_before(text, "; ", at, end);
}

}  // namespace

void read_karpenter(Reading& reading, std::size_t at) {
  std::size_t end = line_end(reading.text, at, longest_log);
  // Behind the message a log has its own fields.
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

}  // namespace gpulint::events
