#pragma once

// base: bytes, positions, findings, text and threads. It reads no format and knows no product:
// nothing here mentions YAML, Kubernetes or Flyte.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/span.h"

namespace gpulint {

enum class Severity : std::uint8_t { info, warning, error };
[[nodiscard]] std::string_view to_string(Severity severity);
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view text);

/// How far a fix may be trusted. `safe` alters only what Flyte, the API server, the scheduler or
/// the device plugin would ignore or refuse today; `unsafe` is a good guess that changes behaviour.
enum class Safety : std::uint8_t { safe, unsafe };
[[nodiscard]] std::string_view to_string(Safety safety);

/// Whether a rule ever offers a fix, and how far that can be trusted at best.
enum class FixAvailability : std::uint8_t { none, safe, unsafe };
[[nodiscard]] std::string_view to_string(FixAvailability availability);

/// How a fix is tried on a copy of the inputs that is read, compiled and placed again.
enum class FixProof : std::uint8_t {
  none,        ///< It becomes unsafe if it does harm (fix/verify_fixes.h).
  still_fits,  ///< The same, and safe only where the workload is seen to fit before and after.
  placement    ///< It is offered only if the finding disappears: for pods that a node rejects.
};

/// The facts about a rule that are known without running it. A literal type: every instance is a
/// constant.
/// Whether a rule runs by default. A preview rule has found nothing in a reported incident or a
/// real repository yet; a deprecated one will be removed.
enum class RuleState : std::uint8_t { stable, preview, deprecated };
[[nodiscard]] std::string_view to_string(RuleState state);

struct RuleInfo {
  std::string_view id = {};       ///< The flaw in words, [a-z0-9-]; names the rule's folder.
  std::string_view category;      ///< Groups ids; usable wherever an id is.
  std::string_view summary = {};  ///< One sentence; the first line of rule.md.
  Severity severity = Severity::error;
  FixAvailability fix = FixAvailability::none;
  FixProof proof = FixProof::none;
  RuleState state = RuleState::stable;
  /// Older ids, separated by spaces: options, suppressions and baselines still accept them.
  std::string_view aliases = {};
};

/// Replaces the bytes of `span` by `text`. An empty span inserts.
struct Edit {
  Span span;
  std::string text;
  friend auto operator<=>(const Edit&, const Edit&) = default;
};

/// Edits that belong together: all or none. Sorted and disjoint within one file.
struct Fix {
  Safety safety = Safety::unsafe;
  std::string title;  ///< Imperative, e.g. "rename to `gpu-resource-name`".
  std::vector<Edit> edits;
};

/// Another place of a finding, and what is there.
struct Label {
  Span span;
  std::string message;
  friend auto operator<=>(const Label&, const Label&) = default;
};

/// What decides the text that a finding in rendered text is about.
enum class DecidedBy : std::uint8_t {
  value,          ///< A line of a file with values; the finding is there.
  template_line,  ///< A line of the template; the finding is there.
  file            ///< Unknown: the finding is at the begin of the template.
};
[[nodiscard]] std::string_view to_string(DecidedBy by);

/// An object that a template rendered.
struct RenderedObject {
  std::string template_name;  ///< `chart/templates/x.yaml`; empty for a kustomization.
  std::string object;         ///< `Deployment/default/web`; empty if it is unknown.
  std::string path;           ///< Dotted path of keys in the object.
  friend auto operator<=>(const RenderedObject&, const RenderedObject&) = default;
};

/// Where a finding was made in text that a program rendered.
struct RenderedPlace {
  std::string chart;  ///< The folder of the chart or kustomization.
  RenderedObject object;
  DecidedBy decided_by = DecidedBy::file;
  Span span;                           ///< In the rendered text. No output shows its lines.
  std::vector<RenderedObject> others;  ///< Further objects that the same place decides.
};

/// One finding. `rule` points to static storage, or for `policies` to the run's own table.
struct Diagnostic {
  const RuleInfo* rule = nullptr;
  Severity severity = Severity::error;
  Span span;
  std::string message;         ///< Lower case, no period, what was seen with its value.
  std::string path;            ///< Dotted path of keys to the place; empty where there is none.
  std::vector<Label> related;  ///< The other half of the contradiction.
  std::string help;            ///< What to do; may be empty.
  std::optional<Fix> fix;
  /// The message for each further workload that has the same cause.
  std::vector<std::string> further;
  std::optional<RenderedPlace> rendered;  ///< nullopt for text as it was written.

  /// Adds a sentence to the help. It has no final period, and begins like a help in lower case.
  void add_help(std::string_view more);
};

/// Sorts, and merges findings equal in rule, place and message.
void sort_and_merge(std::vector<Diagnostic>& diagnostics);

}  // namespace gpulint
