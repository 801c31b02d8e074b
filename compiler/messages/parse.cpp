#include "compiler/messages/parse.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/messages/claims.h"
#include "compiler/messages/event.h"

namespace gpulint::events {
namespace {

/// Finds the pod of a message in the text around it: the row of a table or log, the head of
/// `kubectl describe pod`, `involvedObject` and `metadata` of YAML and JSON.
class Subjects {
 public:
  explicit Subjects(std::string_view text);

  [[nodiscard]] Subject find(std::size_t message) const;

 private:
  [[nodiscard]] Subject in_block(std::size_t block) const;

  std::string_view text_;
  std::vector<std::size_t> heads_;   // of descriptions: `Name:` at the start of a line
  std::vector<std::size_t> blocks_;  // `involvedObject`, `regarding` and `metadata`
};

/// The name is searched in so many bytes after the key: labels and owners may come first.
constexpr std::size_t block_bytes = 2048;

[[nodiscard]] std::vector<std::size_t> find_all(std::string_view text, std::string_view word) {
  std::vector<std::size_t> found;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    found.push_back(at);
  }
  return found;
}

[[nodiscard]] std::string_view line_at(std::string_view text, std::size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

[[nodiscard]] bool is_name(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.';
  });
}

/// `namespace/name`, `name`.
[[nodiscard]] Subject split_name(std::string_view word) {
  const std::size_t slash = word.find('/');
  Subject subject;
  if (slash == std::string_view::npos) {
    subject.name = word;
  } else {
    subject.name = word.substr(slash + 1);
    subject.name_space = word.substr(0, slash);
  }
  return is_name(subject.name) ? subject : Subject{};
}

/// The value of a line `name: x`, `name: "x"` or `"name":"x"`.
[[nodiscard]] std::string_view value_of(std::string_view line) {
  std::string_view value = line.substr(std::min(line.find(':'), line.size() - 1) + 1);
  constexpr std::string_view around = " \t\r,\"'\x1f";
  const std::size_t begin = value.find_first_not_of(around);
  if (begin == std::string_view::npos) return {};
  value.remove_prefix(begin);
  return value.substr(0, value.find_first_of(around));
}

/// Restores the quotes that end JSON strings.
[[nodiscard]] std::string with_quotes(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, end_of_string, '"');
  return result;
}

/// The pod in the start of a row of `kubectl get pods`, up to `0/1`; the namespace is optional.
[[nodiscard]] Subject in_table(std::string_view row) {
  std::vector<std::string_view> words;
  for (std::string_view rest = trim(row); !rest.empty() && words.size() < 4;) {
    words.push_back(take_part(rest, ' '));
    rest = trim(rest);
  }
  const bool has_ready = words.size() >= 2 && words.size() <= 3 && is_digit(words.back().front()) &&
                         contains(words.back(), "/");
  if (!has_ready) return {};
  Subject subject{std::string(words[words.size() - 2]), {}};
  if (words.size() == 3) subject.name_space = words.front();
  return is_name(subject.name) ? subject : Subject{};
}

/// `{name: x, namespace: y}`, or the same as JSON, on one line.
[[nodiscard]] Subject in_flow(std::string_view line) {
  std::string plain;  // the mapping without nested values
  int depth = 0;
  for (const char c : line) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    const bool is_own =
        depth == 1 && std::string_view(" \"'\x1f").find(c) == std::string_view::npos;
    if (is_own) plain += c == '}' ? ',' : c;
    if (depth == 0 && !plain.empty()) break;
  }
  const auto value = [&](std::string_view key) {
    for (const char before : {'{', ','}) {
      const std::size_t at = plain.find(before + std::string(key) + ":");
      if (at == std::string::npos) continue;
      const std::string found = plain.substr(at + key.size() + 2);
      return found.substr(0, found.find_first_of(",}"));
    }
    return std::string();
  };
  const Subject subject{value("name"), value("namespace")};
  return is_name(subject.name) ? subject : Subject{};
}

/// The pod that the row or log line names before the message.
[[nodiscard]] Subject in_row(std::string_view row) {
  if (const std::string_view name = word_behind(row, "pod/"); !name.empty())
    return split_name(name);
  if (const std::string_view name = word_behind(row, "Pod/"); !name.empty())
    return split_name(name);
  if (const std::string_view name = between(row, ", Name:\"", "\""); !name.empty()) {
    return {std::string(name), std::string(between(row, "Namespace:\"", "\""))};
  }
  for (const std::string_view before : {" pod=\"", "\"pod\":\"", "\"pod\": \""}) {
    if (const std::string_view name = between(row, before, "\""); !name.empty()) {
      return split_name(name);
    }
  }
  // Errors of the API server.
  for (const std::string_view before : {"pods \"", "Pod \""}) {
    const std::string_view name = between(row, before, "\"");
    const bool is_refused = contains(row, "\" is forbidden") || contains(row, "\" is invalid");
    if (is_refused && is_name(name)) return {std::string(name), {}};
  }
  if (contains(row, " can't be scheduled on ")) return split_name(word_behind(row, "Pod "));
  const std::string_view name = word_behind(row, "Pod ");
  return contains(name, "/") ? split_name(name) : in_table(row);
}

Subjects::Subjects(std::string_view text) : text_(text) {
  for (const std::size_t at : find_all(text, "Name:")) {
    if (at == 0 || text[at - 1] == '\n') heads_.push_back(at);
  }
  for (const std::string_view word :
       {"involvedObject", "Involved Object", "regarding", "metadata"}) {
    for (const std::size_t at : find_all(text, word)) {
      const std::string_view behind = text.substr(at + word.size(), 3);
      if (behind.find(':') != std::string_view::npos) blocks_.push_back(at);
    }
  }
  std::ranges::sort(blocks_);
}

using Reader = void (*)(Reading&, std::size_t);

/// Words that occur in only one kind of message, and the reader of that kind.
struct Anchor {
  std::string_view words;
  Reader read;
};

constexpr auto anchors = std::to_array<Anchor>({
    {"nodes are available:", read_nodes_available},
    {"nodes are available.", read_nodes_available},
    {"nodes are unavailable:", read_nodes_available},
    {"No nodes are available that match all of", read_predicates},
    {"Cannot schedule pods: ", read_cannot_schedule},
    {"pod didn't trigger scale-up", read_scale_up},
    {"pod triggered scale-up", read_scale_up},
    {"predicate checking error:", read_scale_up_log},
    {"Scale-up predicate failed:", read_scale_up_log},
    {"incompatible with nodepool ", read_karpenter},
    {"incompatible with provisioner ", read_karpenter},
    {"did not tolerate ", read_karpenter},
    {"no instance type ", read_karpenter},
    {"incompatible requirements, ", read_karpenter},
    {"all available instance types exceed limits", read_karpenter},
    {"requirements filtered out all", read_karpenter},
    {"couldn't assign flavors to pod set ", read_kueue},
    {"tasks in gang unschedulable", read_volcano_gang},
    {"resource in cluster is overused", read_volcano_overused},
    {"o nodes with enough resources were found", read_kai},
    {"Resources were found for ", read_kai_gang},
    {"quota has reached the allowable limit of", read_kai_quota},
    {"Allocate failed due to ", read_allocation},
    {"Node didn't have enough resource: ", read_refusal},
    {"OutOf", read_out_of},
    {"Failed to pull image \"", read_image_pull},
    {"Back-off pulling image \"", read_image_pull},
    {"ErrImagePull", read_image_pull},
    {"ImagePullBackOff", read_image_pull},
    {"exceeded quota: ", read_exceeded_quota},
    {"failed quota: ", read_failed_quota},
    {" usage per ", read_limit_range},
    {"insufficient quota to match these scopes", read_quota_of_scopes},
    {"violates PodSecurity ", read_pod_security},
    {"RuntimeClass \"", read_missing_object},
    {"no PriorityClass with name ", read_missing_object},
    {"Limit must be set for non overcommitable resources", read_invalid_amount},
    {"must be equal to ", read_invalid_amount},
    {"must be an integer", read_fraction},
    {"no runtime for \"", read_no_runtime},
    {"failed to find runtime handler ", read_no_runtime},
    {"could not load NVML library", read_no_driver},
    {"Could not load NVML library", read_no_driver},
    {"nvidia-container-cli: initialization error", read_no_driver},
    {"nvidia-container-cli.real: initialization error", read_no_driver},
    {"did you configure the NVIDIA Container Toolkit?", read_no_driver},
    {"unresolvable CDI devices ", read_unresolvable_device},
});

/// Words around other messages; those say more.
constexpr auto outer_anchors = std::to_array<Anchor>(
    {{"admission webhook \"", read_denial}, {"The request is invalid: ", read_denial}});

struct Found {
  std::size_t at = 0;
  Reader read = nullptr;
};

[[nodiscard]] std::vector<Found> find_anchors(std::string_view text, std::span<const Anchor> some) {
  std::vector<Found> found;
  for (const Anchor& anchor : some) {
    for (std::size_t at = text.find(anchor.words); at != std::string_view::npos;
         at = text.find(anchor.words, at + anchor.words.size())) {
      found.push_back({at, anchor.read});
    }
  }
  std::ranges::sort(found, {}, &Found::at);
  return found;
}

/// Reads the outer messages that contain no other message.
void read_outer(Reading& reading) {
  std::vector<std::size_t> begins;
  for (const Event& event : reading.events) begins.push_back(event.begin);
  std::size_t end = 0;
  for (const Found& found : find_anchors(reading.text, outer_anchors)) {
    if (found.at < end) continue;
    end = line_end(reading.text, found.at);
    const auto inner = std::ranges::lower_bound(begins, found.at);
    const bool has_other = inner != begins.end() && *inner < end;
    if (!has_other) found.read(reading, found.at);
  }
  std::ranges::stable_sort(reading.events, {}, &Event::begin);
}

using Refusal = std::tuple<std::string, std::string, std::string>;

/// Namespace and name of the pod, and the resource that the kubelet had too little of.
[[nodiscard]] Refusal refusal_of(const Event& event) {
  return {event.subject.name_space, event.subject.name, event.claims.front().key};
}

/// The kubelet reports one failed pull in several messages: keeps the one with the most details.
void drop_repeated_pulls(std::vector<Event>& events) {
  std::map<std::pair<std::string, std::string>, const Event*> best;
  const auto is_pull = [](const Event& event) {
    return !event.claims.empty() && event.claims.front().kind == ClaimKind::image_pull;
  };
  const auto detail = [](const Event& event) {
    const Claim& claim = event.claims.front();
    return std::pair(!claim.value.empty(), !claim.key.empty());
  };
  for (const Event& event : events) {
    if (!is_pull(event)) continue;
    const Event*& known = best[{event.subject.name_space, event.subject.name}];
    if (known == nullptr || detail(event) > detail(*known)) known = &event;
  }
  std::vector<Event> kept;
  for (const Event& event : events) {
    const bool is_echo =
        is_pull(event) && best.at({event.subject.name_space, event.subject.name}) != &event;
    if (!is_echo) kept.push_back(event);
  }
  events = std::move(kept);
}

/// Drops `OutOfcpu` if another message about the pod says the same in full, and repeated lines
/// about a missing driver.
void drop_consequences(std::vector<Event>& events) {
  std::set<std::pair<std::string, std::string>> without_driver;
  std::erase_if(events, [&](const Event& event) {
    const Subject& pod = event.subject;
    const bool says_other =
        event.claims.empty() || event.claims.front().kind != ClaimKind::missing_driver;
    return !says_other && !without_driver.emplace(pod.name_space, pod.name).second;
  });
  std::set<Refusal> refusals;
  for (const Event& event : events) {
    if (event.text.starts_with("Node didn't")) refusals.insert(refusal_of(event));
  }
  std::erase_if(events, [&](const Event& event) {
    return event.text.starts_with("OutOf") && refusals.contains(refusal_of(event));
  });
}

/// Keeps the first of equal messages about one pod.
[[nodiscard]] std::vector<Event> without_repetitions(std::vector<Event> events) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::vector<Event> result;
  for (Event& event : events) {
    if (!seen.emplace(event.subject.name_space, event.subject.name, event.text).second) continue;
    result.push_back(std::move(event));
  }
  drop_consequences(result);
  drop_repeated_pulls(result);
  return result;
}

}  // namespace

Subject Subjects::find(std::size_t message) const {
  const std::string row = with_quotes(row_before(text_, message));
  if (Subject found = in_row(row); !found.name.empty()) return found;
  // Logs may name the pod after the message.
  constexpr std::size_t longest_row = 1024;
  const std::string rest = with_quotes(line_at(text_.substr(message, longest_row), 0));
  if (const std::string_view name = word_behind(rest, "cannot put "); !name.empty()) {
    return split_name(name);
  }
  for (const std::string_view before : {"\"pod\": \"", "\"pod\":\"", "\"pod\":{\"name\":\""}) {
    const std::string_view name = between(rest, before, "\"");
    if (!name.empty()) return split_name(name);
  }
  const auto block = std::ranges::lower_bound(blocks_, message);
  if (block != blocks_.begin()) {
    if (Subject found = in_block(*(block - 1)); !found.name.empty()) return found;
  }
  const auto head = std::ranges::lower_bound(heads_, message);
  if (head == heads_.begin()) return {};
  const std::string_view first = line_at(text_, *(head - 1));
  const std::size_t next = std::min(*(head - 1) + first.size() + 1, text_.size());
  const std::string_view second = line_at(text_, next);
  Subject subject{std::string(value_of(first)), {}};
  if (second.starts_with("Namespace:")) subject.name_space = value_of(second);
  // A description of a node has no namespace, and no events about pods.
  return second.starts_with("Namespace:") && is_name(subject.name) ? subject : Subject{};
}

/// The object's own `name` and `namespace`: those of its outermost lines.
Subject Subjects::in_block(std::size_t block) const {
  std::string_view rest = text_.substr(block, block_bytes);
  const std::string_view head = take_part(rest, '\n');
  if (contains(head, "{") && contains(head, "name")) return in_flow(head);
  Subject subject;
  std::optional<std::size_t> indent;
  while (!rest.empty()) {
    const std::string_view line = take_part(rest, '\n');
    const std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string_view::npos) continue;
    if (!indent) indent = at;
    if (at < *indent) break;
    if (at > *indent) continue;
    const std::string_view words = line.substr(at);
    const std::string key = to_lower(words.substr(0, words.find(':')));
    if (key == "name" || key == "\"name\"") subject.name = value_of(words);
    if (key == "namespace" || key == "\"namespace\"") subject.name_space = value_of(words);
  }
  return subject;
}

std::vector<Event> parse(std::string_view text) {
  const FlatText flat = flatten(text);
  Reading reading{flat.text, {}};
  for (const Found& found : find_anchors(flat.text, anchors)) {
    const bool is_read = !reading.events.empty() && found.at < reading.events.back().end;
    if (!is_read) found.read(reading, found.at);
  }
  read_outer(reading);
  const Subjects subjects(flat.text);
  for (Event& event : reading.events) {
    event.subject = subjects.find(event.begin);
    for (Claim& claim : event.claims) {
      claim.begin = flat.origin(claim.begin);
      claim.end = flat.origin(claim.end);
    }
    event.begin = flat.origin(event.begin);
    event.end = flat.origin(event.end);
  }
  return without_repetitions(std::move(reading.events));
}

}  // namespace gpulint::events
