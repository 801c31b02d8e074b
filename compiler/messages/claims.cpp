#include "compiler/messages/claims.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "compiler/base/text.h"

namespace gpulint::events {
namespace {

/// Words of a clause and their meaning; the first match decides.
constexpr auto meanings = std::to_array<std::pair<std::string_view, ClaimKind>>({
    {"reemption", ClaimKind::preemption},
    {"untolerated taint", ClaimKind::untolerated_taint},
    {"had taint", ClaimKind::untolerated_taint},
    {"PodToleratesNodeTaints", ClaimKind::untolerated_taint},
    {"TaintToleration", ClaimKind::untolerated_taint},
    {"volume", ClaimKind::volume},
    {"Volume", ClaimKind::volume},
    {"anti-affinity", ClaimKind::pod_affinity},
    {"pod affinity", ClaimKind::pod_affinity},
    {"InterPodAffinity", ClaimKind::pod_affinity},
    {"node affinity", ClaimKind::node_affinity},
    {"node selector", ClaimKind::node_affinity},
    {"MatchNodeSelector", ClaimKind::node_affinity},
    {"NodeAffinity", ClaimKind::node_affinity},
    {"unschedulable", ClaimKind::unschedulable},
    {"Unschedulable", ClaimKind::unschedulable},
    {"not ready", ClaimKind::node_condition},
    {"NotReady", ClaimKind::node_condition},
    {"pressure", ClaimKind::node_condition},
    {"unreachable", ClaimKind::node_condition},
    {"free ports", ClaimKind::host_ports},
    {"HostPorts", ClaimKind::host_ports},
    {"topology spread", ClaimKind::topology_spread},
    {"allocate all claims", ClaimKind::device_claim},
    {"resourceclaim", ClaimKind::device_claim},
    {"resource claim", ClaimKind::device_claim},
    {"max node group size", ClaimKind::pool_limit},
    {"max cluster", ClaimKind::pool_limit},
    {"in backoff after failed scale-up", ClaimKind::scale_up},
    {"not ready for scale-up", ClaimKind::scale_up},
});

/// Whether a word names a resource: such names begin with a lower case letter.
[[nodiscard]] bool is_resource(std::string_view word) {
  return !word.empty() && word.front() >= 'a' && word.front() <= 'z';
}

/// `{key: value}`, as the scheduler prints a taint; `{key}` of Go's maps has no value.
void read_taint(std::string_view clause, Claim& claim) {
  const std::string_view taint = between(clause, "{", "}");
  const std::size_t colon = taint.find(':');
  claim.key = trim(taint.substr(0, colon));
  if (colon != std::string_view::npos) claim.value = trim(taint.substr(colon + 1));
}

/// Every message that is long enough to be broken contains one of these.
constexpr auto hints = std::to_array<std::string_view>(
    {"nodes are available", "nodes are unavailable", "scale-up", "incompatible with",
     "did not tolerate", "no instance type", "flavors to pod set", "in gang", "failed due to",
     "enough resource"});

/// Terminals do not break shorter lines.
constexpr std::size_t shortest_broken_line = 60;

[[nodiscard]] std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// `message:`, `Events:` of YAML and `kubectl describe`.
[[nodiscard]] bool begins_with_key(std::string_view line) {
  const std::size_t end = static_cast<std::size_t>(
      std::ranges::find_if(
          line, [](char c) { return !is_alphanumeric(c) && c != '_' && c != '"' && c != ' '; }) -
      line.begin());
  if (end == 0 || end == line.size() || line[end] != ':' || is_digit(line.front())) return false;
  // Clauses also have colons: `preemption: 0/5 nodes are available`.
  return !line.starts_with("preemption:") && (end + 1 == line.size() || line[end + 1] == ' ');
}

/// Whether a line begins a new row, key, item or fence.
[[nodiscard]] bool begins_anew(std::string_view line) {
  for (const std::string_view word :
       {"Warning", "Normal", "---", "- ", "}", "]", "```", "NAME", "LAST SEEN"}) {
    if (line.starts_with(word)) return true;
  }
  if (begins_with_key(line)) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const bool is_age = digits > 0 && digits < line.size() &&
                      std::string_view("smhd-").find(line[digits]) != std::string_view::npos;
  return is_age;
}

/// Decides which lines continue the one above.
class Joiner {
 public:
  [[nodiscard]] bool continues(std::string_view line) {
    const std::string_view words = trim(line);
    const bool joins = is_open_ && !words.empty() && is_rest(line, words);
    if (!joins) begin(line);
    if (!is_open_) is_open_ = has_hint(words);
    if (is_open_ && quote_ == 0 && !joins) quote_ = opened_quote(words);
    if (quote_ != 0 && is_closed(words, !joins)) is_open_ = false;
    last_ = words;
    return joins;
  }

 private:
  void begin(std::string_view line) {
    indent_ = indent_of(line);
    quote_ = 0;
    is_open_ = false;
  }

  [[nodiscard]] static bool has_hint(std::string_view words) {
    return std::ranges::any_of(
        hints, [&](std::string_view hint) { return words.find(hint) != std::string_view::npos; });
  }

  /// The quote that YAML or JSON opens before the message; 0 if none.
  [[nodiscard]] static char opened_quote(std::string_view words) {
    const std::size_t colon = words.find(": ");
    if (colon == std::string_view::npos || colon + 2 >= words.size()) return 0;
    const char c = words[colon + 2];
    return c == '\'' || c == '"' ? c : '\0';
  }

  [[nodiscard]] bool is_closed(std::string_view words, bool is_first) const {
    if (words.ends_with(',')) words.remove_suffix(1);
    const std::size_t shortest = is_first ? words.find(": ") + 4 : 1;
    return words.size() >= shortest && words.ends_with(quote_);
  }

  [[nodiscard]] bool is_rest(std::string_view line, std::string_view words) const {
    if (quote_ != 0) return true;
    if (begins_anew(words)) return false;
    if (indent_of(line) > indent_) return true;
    const bool is_whole = last_.ends_with('.') || last_.ends_with('"') || last_.ends_with('`');
    const bool is_lower = (words.front() >= 'a' && words.front() <= 'z') || is_digit(words.front());
    return !is_whole && is_lower && last_.size() >= shortest_broken_line;
  }

  bool is_open_ = false;
  char quote_ = 0;
  std::size_t indent_ = 0;
  std::string_view last_;
};

class Flattener {
 public:
  explicit Flattener(std::string_view text) : text_(text.substr(0, most_bytes)) {
    flat_.text.reserve(text_.size());
    flat_.origins.reserve(text_.size() + 1);
  }

  [[nodiscard]] FlatText run() && {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      const bool joins = joiner_.continues(line);
      if (at > 0) put(joins ? ' ' : '\n', at - 1);
      add(at + (joins ? indent_of(line) : 0), end);
      at = end + 1;
    }
    flat_.origins.push_back(static_cast<std::uint32_t>(text_.size()));
    return std::move(flat_);
  }

 private:
  void put(char c, std::size_t origin) {
    flat_.text += c;
    flat_.origins.push_back(static_cast<std::uint32_t>(origin));
  }

  /// Whether unescaped quotes end strings.
  [[nodiscard]] static bool is_json(std::string_view line) {
    constexpr auto marks =
        std::to_array<std::string_view>({"\\\"", "\"message\":", "\"msg\":", "\"error\":"});
    return std::ranges::any_of(
        marks, [&](std::string_view mark) { return line.find(mark) != std::string_view::npos; });
  }

  void add(std::size_t begin, std::size_t end) {
    const std::string_view line = text_.substr(0, end);
    const bool has_escapes = is_json(text_.substr(begin, end - begin));
    for (std::size_t at = begin; at < end;) at += add_one(line, at, has_escapes);
  }

  /// Returns the number of bytes it consumed.
  [[nodiscard]] std::size_t add_one(std::string_view line, std::size_t at, bool has_escapes) {
    const std::string_view rest = line.substr(at);
    if (rest.front() == '\\') {
      const std::size_t run = std::min(rest.find_first_not_of('\\'), rest.size());
      if (run < rest.size() && rest[run] == '"') return put('"', at), run + 1;
      if (run < rest.size() && (rest[run] == 'n' || rest[run] == 't')) {
        return put(rest[run] == 'n' ? '\n' : ' ', at), run + 1;
      }
      for (std::size_t i = 0; i < run; ++i) put('\\', at + i);
      return run;
    }
    constexpr std::string_view typographic = "\xE2\x80\x99";
    if (rest.starts_with(typographic)) return put('\'', at), typographic.size();
    if (rest.starts_with("''") && rest.size() > 2 && is_alphanumeric(rest[2])) {
      return put('\'', at), 2;
    }
    if (rest.front() != '\r') {
      put(has_escapes && rest.front() == '"' ? end_of_string : rest.front(), at);
    }
    return 1;
  }

  std::string_view text_;
  Joiner joiner_;
  FlatText flat_;
};

}  // namespace

std::string_view to_string(Speaker speaker) {
  switch (speaker) {
    case Speaker::scheduler:
      return "kube-scheduler";
    case Speaker::karpenter:
      return "karpenter";
    case Speaker::cluster_autoscaler:
      return "cluster-autoscaler";
    case Speaker::kueue:
      return "kueue";
    case Speaker::volcano:
      return "volcano";
    case Speaker::kai:
      return "kai-scheduler";
    case Speaker::kubelet:
      return "kubelet";
    case Speaker::api_server:
      return "kube-apiserver";
    case Speaker::runtime:
      return "container-runtime";
  }
  return {};
}

std::string_view to_string(ClaimKind kind) {
  constexpr auto names = std::to_array<std::string_view>({"insufficient-resource",
                                                          "untolerated-taint",
                                                          "node-affinity",
                                                          "unschedulable",
                                                          "node-condition",
                                                          "host-ports",
                                                          "pod-affinity",
                                                          "topology-spread",
                                                          "volume",
                                                          "device-claim",
                                                          "no-machine",
                                                          "pool-limit",
                                                          "scale-up",
                                                          "quota",
                                                          "gang",
                                                          "allocation-failed",
                                                          "pod-security",
                                                          "missing-object",
                                                          "invalid-amount",
                                                          "denied",
                                                          "fraction",
                                                          "missing-runtime",
                                                          "missing-driver",
                                                          "missing-device",
                                                          "image-pull",
                                                          "preemption",
                                                          "other"});
  return names.at(static_cast<std::size_t>(kind));
}

Part part_of(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view words = trim(text.substr(begin, end - begin));
  if (words.empty()) return {words, begin};
  return {words, static_cast<std::size_t>(words.data() - text.data())};
}

std::size_t line_end(std::string_view text, std::size_t at, std::size_t longest) {
  const std::size_t limit = at + std::min(longest, text.size() - at);
  while (at < limit && !ends_line(text[at])) ++at;
  return at;
}

std::size_t find_before(std::string_view text, std::string_view word, std::size_t at,
                        std::size_t end) {
  return std::min(text.substr(0, end).find(word, at), end);
}

std::string_view row_before(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 1024;
  const std::size_t from = at - std::min(at, longest);
  const std::string_view window = text.substr(from, at - from);
  const std::size_t newline = window.rfind('\n');
  return newline == std::string_view::npos ? window : window.substr(newline + 1);
}

std::optional<Counted> take_count(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  std::size_t digits = 0;
  std::int64_t count = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    if (digits == most_digits) return std::nullopt;
    count = count * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || digits == text.size() || text[digits] != ' ') return std::nullopt;
  return Counted{count, trim(text.substr(digits))};
}

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + open.size());
  const std::size_t end = text.find(close);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

std::string_view word_behind(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text = text.substr(at + before.size());
  text = text.substr(0, text.find_first_of(" \t\n,;)\"'`"));
  while (text.ends_with('.') || text.ends_with(':') || text.ends_with('*')) text.remove_suffix(1);
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Claim make_claim(ClaimKind kind, const Part& part) {
  Claim claim;
  claim.kind = kind;
  claim.text = part.text;
  claim.begin = part.begin;
  claim.end = part.begin + part.text.size();
  return claim;
}

Claim read_clause(std::string_view clause, const Part& part) {
  if (clause.size() > 1 && equal_fold(clause.substr(0, 13), "insufficient ")) {
    Claim claim = make_claim(ClaimKind::insufficient_resource, part);
    claim.key = word_behind(clause, " ");
    if (!is_resource(claim.key)) {
      claim.kind = ClaimKind::other;
      claim.key.clear();
    }
    return claim;
  }
  if (contains(clause, "Too many pods")) {
    Claim claim = make_claim(ClaimKind::insufficient_resource, part);
    claim.key = "pods";
    return claim;
  }
  const auto meaning = std::ranges::find_if(
      meanings, [&](const auto& each) { return contains(clause, each.first); });
  Claim claim = make_claim(meaning == meanings.end() ? ClaimKind::other : meaning->second, part);
  if (claim.kind == ClaimKind::untolerated_taint) read_taint(clause, claim);
  return claim;
}

Event& add_event(Reading& reading, Speaker speaker, std::size_t begin, std::size_t end) {
  const Part part = part_of(reading.text, begin, end);
  Event& event = reading.events.emplace_back();
  event.speaker = speaker;
  event.text = part.text;
  event.begin = part.begin;
  event.end = part.begin + part.text.size();
  return event;
}

Event& add_single(Reading& reading, Speaker speaker, ClaimKind kind, std::size_t begin,
                  std::size_t end) {
  Event& event = add_event(reading, speaker, begin, end);
  event.claims.push_back(make_claim(kind, part_of(reading.text, begin, end)));
  return event;
}

FlatText flatten(std::string_view text) { return Flattener(text).run(); }

}  // namespace gpulint::events
