#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/messages/event.h"

namespace gpulint::events {

// Shared by the readers of single messages. Offsets are into the flat text.

struct Part {
  std::string_view text;  ///< Without surrounding blanks.
  std::size_t begin = 0;
};

/// text[begin, end) without surrounding blanks.
[[nodiscard]] Part part_of(std::string_view text, std::size_t begin, std::size_t end);

/// The API accepts 1 KB. Longer messages are cut, so reading stays linear in texts of one line.
inline constexpr std::size_t longest_message = 4U << 10U;

/// Karpenter's logs have lines with a section for each pool.
inline constexpr std::size_t longest_log = 64U << 10U;

/// Marks the end of a JSON string whose inner quotes were escaped.
inline constexpr char end_of_string = '\x1f';

/// Whether every message ends before this character.
[[nodiscard]] constexpr bool ends_line(char c) {
  return c == '\n' || c == '`' || c == end_of_string;
}

/// The latest end of a message that begins at `at`: the end of the line or string.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t at,
                                   std::size_t longest = longest_message);

/// The first position of `word` in text[at, end), or `end`.
[[nodiscard]] std::size_t find_before(std::string_view text, std::string_view word, std::size_t at,
                                      std::size_t end);

/// The text before `at` on its line, at most 1024 bytes.
[[nodiscard]] std::string_view row_before(std::string_view text, std::size_t at);

/// The number at the start of a text, and the text after it.
struct Counted {
  std::int64_t count = 0;
  std::string_view rest;
};

[[nodiscard]] std::optional<Counted> take_count(std::string_view text);

/// The text between the first `open` and the next `close`; empty if one is missing.
[[nodiscard]] std::string_view between(std::string_view text, std::string_view open,
                                       std::string_view close);

/// The word after `before`, up to a blank or one of `,;)"`, without a final period.
[[nodiscard]] std::string_view word_behind(std::string_view text, std::string_view before);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// A claim with the text and position of `part`; `key` and `value` stay empty.
[[nodiscard]] Claim make_claim(ClaimKind kind, const Part& part);

/// Reads a reason of the scheduler, or of programs that use its predicates: `Insufficient cpu`,
/// `node(s) had untolerated taint {a: b}`. `clause` is `part` without its count.
[[nodiscard]] Claim read_clause(std::string_view clause, const Part& part);

/// A flat text, and the events read from it so far.
struct Reading {
  std::string_view text;
  std::vector<Event> events;
};

/// Adds an event of text[begin, end).
Event& add_event(Reading& reading, Speaker speaker, std::size_t begin, std::size_t end);

/// Adds an event of text[begin, end) with one claim of the same text. The reference is valid until
/// the next event is added.
Event& add_single(Reading& reading, Speaker speaker, ClaimKind kind, std::size_t begin,
                  std::size_t end);

// Each of these reads the message that begins at `at`, and adds it.

/// `0/5 nodes are available: …`; `at` is the position of `nodes`.
void read_nodes_available(Reading& reading, std::size_t at);

/// `No nodes are available that match all of the …`.
void read_predicates(Reading& reading, std::size_t at);

/// `Cannot schedule pods: Insufficient …`, as cloud consoles print it.
void read_cannot_schedule(Reading& reading, std::size_t at);

/// `pod didn't trigger scale-up`, `pod triggered scale-up`.
void read_scale_up(Reading& reading, std::size_t at);

/// `predicate checking error:` and older forms in the autoscaler's log.
void read_scale_up_log(Reading& reading, std::size_t at);

/// Any of Karpenter's reasons.
void read_karpenter(Reading& reading, std::size_t at);

/// `couldn't assign flavors to pod set …`.
void read_kueue(Reading& reading, std::size_t at);

/// `tasks in gang unschedulable`.
void read_volcano_gang(Reading& reading, std::size_t at);

/// `resource in cluster is overused`.
void read_volcano_overused(Reading& reading, std::size_t at);

/// `no nodes with enough resources were found`.
void read_kai(Reading& reading, std::size_t at);

/// `Resources were found for … pods while … are required`.
void read_kai_gang(Reading& reading, std::size_t at);

/// `quota has reached the allowable limit of`.
void read_kai_quota(Reading& reading, std::size_t at);

/// `Allocate failed due to`.
void read_allocation(Reading& reading, std::size_t at);

/// `Node didn't have enough resource:`.
void read_refusal(Reading& reading, std::size_t at);

/// `exceeded quota: NAME, requested: …, used: …, limited: …` (plugin/pkg/admission/resourcequota).
void read_exceeded_quota(Reading& reading, std::size_t at);

/// `failed quota: NAME: must specify cpu,memory`.
void read_failed_quota(Reading& reading, std::size_t at);
void read_limit_range(Reading& reading, std::size_t at);

/// `insufficient quota to match these scopes: …`.
void read_quota_of_scopes(Reading& reading, std::size_t at);

/// `violates PodSecurity "baseline:latest": …`.
void read_pod_security(Reading& reading, std::size_t at);

/// `RuntimeClass "nvidia" not found`, `no PriorityClass with name … was found`.
void read_missing_object(Reading& reading, std::size_t at);

/// `Limit must be set for non overcommitable resources`, `must be equal to nvidia.com/gpu limit`.
void read_invalid_amount(Reading& reading, std::size_t at);

/// `admission webhook "NAME" denied the request: …` (k8s.io/apiserver,
/// pkg/admission/plugin/webhook/errors/statuserror.go), and kubectl's text for a status without
/// details: `The request is invalid: …` (kubectl, pkg/cmd/util/helpers.go). One claim per field.
void read_denial(Reading& reading, std::size_t at);

/// `resources.limits[nvidia.com/gpu]: Invalid value: "500m": must be an integer`.
void read_fraction(Reading& reading, std::size_t at);

/// `no runtime for "nvidia" is configured` of containerd, `failed to find runtime handler nvidia`
/// of CRI-O.
void read_no_runtime(Reading& reading, std::size_t at);

/// `could not load NVML library`, `nvidia-container-cli: initialization error`.
void read_no_driver(Reading& reading, std::size_t at);

/// `unresolvable CDI devices …`.
void read_unresolvable_device(Reading& reading, std::size_t at);

/// `OutOfnvidia.com/gpu`.
void read_out_of(Reading& reading, std::size_t at);

/// `Failed to pull image "X": …`, `Back-off pulling image "X"`, and the reasons without a message
/// (kubernetes pkg/kubelet/images).
void read_image_pull(Reading& reading, std::size_t at);

/// A text with each message on one line and without escapes, and the origin of each byte.
struct FlatText {
  std::string text;
  std::vector<std::uint32_t> origins;  ///< Offsets in the original text, and one more for the end.

  [[nodiscard]] std::size_t origin(std::size_t at) const { return origins[at]; }
};

/// Longer texts are cut.
inline constexpr std::size_t most_bytes = 32U << 20;

/// Joins the lines into which YAML, an editor or a terminal broke a message, resolves `\"`, `''`
/// and `\n`, and replaces typographic apostrophes.
[[nodiscard]] FlatText flatten(std::string_view text);

}  // namespace gpulint::events
