#include "rules/invalid-node-pool/tool_errors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_node_pool {
namespace {

/// The place of an error in a pool: a value of another type, or the longest key or value that the
/// error quotes, or the pool's name.
struct ErrorPlace {
  Node node;  ///< The scalar, or the value of the key; null for the name.
  Span span;
};

using Effects = std::array<std::string_view, 3>;
constexpr Effects effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};
/// The same in the spelling of Google's API, and of Cluster API's AWS objects.
constexpr Effects google_effects{"NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"};
constexpr Effects aws_effects{"no-schedule", "prefer-no-schedule", "no-execute"};

[[nodiscard]] std::string letters_of(std::string_view effect) {
  std::string letters = to_lower(effect);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
  return letters;
}

struct MeantEffect {
  std::string_view text;  ///< Empty if none is likely.
  Safety safety = Safety::unsafe;
};

/// The intended effect, in the spelling of the tool, which the error shows.
[[nodiscard]] MeantEffect meant_effect(std::string_view written, std::string_view error) {
  const Effects& spelling = error.find(google_effects[0]) != error.npos ? google_effects
                            : error.find(aws_effects[0]) != error.npos  ? aws_effects
                                                                        : effects;
  const std::string letters = letters_of(written);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const std::string known = letters_of(effects[i]);
    if (known == letters) return {spelling[i], Safety::safe};
    if (edit_distance(letters, known, 2) <= 2) return {spelling[i], Safety::unsafe};
  }
  return {};
}

/// `NoScheduled` of `dedicated=gpu:NoScheduled`.
[[nodiscard]] std::string_view effect_in(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

void offer_effect(const Corpus& corpus, Node place, std::string_view error, Finding& finding) {
  const std::string_view written = effect_in(place.text());
  const MeantEffect meant = meant_effect(written, error);
  if (meant.text.empty() || meant.text == written) return;
  std::string text(place.text());
  text.replace(text.size() - written.size(), written.size(), meant.text);
  finding.fix(meant.safety, fmt::format("write `{}`", meant.text),
              replace_string(*corpus.sources, place, text));
}

/// The first value that is not a string in a map or list of strings; null if there is none.
[[nodiscard]] Node find_other_type(const NodePool& pool, std::string_view error) {
  Node found;
  for (const std::string_view map : {"labels", "nodeLabels", "taints"}) {
    if (error.find(fmt::format("decode: {} must be", map)) == error.npos) continue;
    const Node in_spec = pool.node.at("spec", map);
    walk(in_spec ? in_spec : pool.node.get(map), [&](Node at) {
      const bool is_value = at.is_scalar() && !at.is_opaque() && read_string(at).is_mistyped();
      const bool is_item = at.is_mapping() && error.find("list of strings") != error.npos;
      if (!found && (is_value || is_item)) found = at;
    });
  }
  return found;
}

[[nodiscard]] ErrorPlace find_error_place(const NodePool& pool, std::string_view error) {
  if (const Node other = find_other_type(pool, error)) return {other, other.span()};
  ErrorPlace place{{}, name_node(pool).span()};
  std::size_t longest = 3;  // shorter ones occur in any sentence
  walk(pool.node, [&](Node at) {
    const auto take = [&](std::string_view text, Span span) {
      if (text.size() <= longest || error.find(text) == error.npos) return;
      longest = text.size();
      place = {at, span};
    };
    if (at.is_scalar()) take(at.text(), at.span());
    // If a taint is one text, the error may contain only its effect.
    const bool is_effect = at.is_scalar() && at.text().find(':') != std::string_view::npos &&
                           error.find("effect: ") != error.npos;
    if (is_effect) take(effect_in(at.text()), at.span());
    if (at.key()) take(at.key().text(), at.key_span());
  });
  return place;
}

/// Offers a fix for the error at `place`: quotes, a list, or an effect in the tool's spelling. None
/// if the intended value is not clear.
void offer_pool_fix(const Corpus& corpus, Node place, std::string_view error, Finding& finding) {
  if (!place.is_scalar() || place.is_opaque()) return;
  const bool is_of_strings = error.starts_with("decode:") && error.find("string") != error.npos;
  if (is_of_strings) {
    finding.fix(Safety::safe, "quote the value", quote(*corpus.sources, place));
  } else if (error.ends_with("must be a list") && place.key()) {
    finding.fix(Safety::safe, "write a list with this value",
                rename_to_list(*corpus.sources, place, place.key().text()));
  } else if (error.find("effect") != error.npos || error.find("taint") != error.npos) {
    offer_effect(corpus, place, error, finding);
  }
}

/// The tool whose validation is known; empty for others.
[[nodiscard]] std::string_view tool_of(const NodePool& pool) {
  if (pool.source == NodePool::Source::eksctl) return "eksctl";
  if (pool.source == NodePool::Source::config_connector) return "Config Connector";
  if (pool.source == NodePool::Source::cluster_api) return "the API server";
  if (pool.source == NodePool::Source::service_operator) return "AKS";
  return pool.source == NodePool::Source::kops ? "kOps" : "";
}

/// Before the errors of tools that cannot read the file. Readers need only what follows.
constexpr std::string_view decoding = "decode: ";

/// An error in plain words.
struct PlainError {
  std::string reason;  ///< After "because".
  std::string advice;
};

/// The text after `mark`; nullopt if the text does not contain it.
[[nodiscard]] std::optional<std::string_view> text_after(std::string_view text,
                                                         std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + mark.size());
}

[[nodiscard]] std::string_view text_before(std::string_view text, std::string_view mark) {
  return text.substr(0, text.find(mark));
}

/// `known`: the effects as a list in backticks.
[[nodiscard]] PlainError explain_effect(std::string_view written, std::string_view known) {
  return {written.empty() ? "a taint has no effect"
                          : fmt::format("`{}` is not a valid taint effect", written),
          fmt::format("{} {}", written.empty() ? "add an effect, one of" : "use one of", known)};
}

/// Errors about taints: of kOps, eksctl, AKS, the kubelet and clouds' controllers.
[[nodiscard]] std::optional<PlainError> explain_taint_error(std::string_view error) {
  const std::string known = fmt::format("`{}`", fmt::join(effects, "`, `"));
  if (const auto rest = text_after(error, "the effect `")) {
    return explain_effect(text_before(*rest, "`"),
                          text_after(*rest, "must be one of ").value_or(known));
  }
  if (const auto rest = text_after(error, "invalid taint effect: ")) {
    return explain_effect(text_before(*rest, ", unsupported"), known);
  }
  if (const auto taint = text_after(error, "invalid taint: ")) {
    const std::string_view effect = effect_in(*taint);
    if (!effect.empty() && !is_listed(effects, effect)) return explain_effect(effect, known);
    return PlainError{fmt::format("the taint `{}` has an invalid key or value", *taint),
                      "use a key such as `nvidia.com/gpu` and a value such as `present`"};
  }
  for (const std::string_view mark : {"invalid taint spec: ", "invalid taint value: "}) {
    const auto taint = text_after(error, mark);
    if (!taint) continue;
    return PlainError{
        fmt::format("`{}` is not a valid taint", text_before(*taint, ", ")),
        "write the taint as `KEY=VALUE:EFFECT`, such as `nvidia.com/gpu=present:NoSchedule`"};
  }
  for (const std::string_view mark : {"same key and effect: ", "duplicate value: "}) {
    const auto taint = text_after(error, mark);
    if (!taint) continue;
    return PlainError{fmt::format("`{}` has the key and the effect of another taint", *taint),
                      "remove one of the two taints"};
  }
  return std::nullopt;
}

/// Errors about labels. `is_text`: the labels are one text, as in the kubelet's `--node-labels`.
[[nodiscard]] std::optional<PlainError> explain_label_error(const NodePool& pool,
                                                            std::string_view error, bool is_text) {
  if (const auto keys = text_after(error, "or 'k8s.io' labels: ")) {
    const std::vector<std::string_view> all = split(*keys, ' ');
    const std::string_view plural = all.size() == 1 ? "" : "s";
    return PlainError{
        fmt::format("a kubelet must not set the label{} `{}`", plural, fmt::join(all, "`, `")),
        fmt::format("remove the label{}, or use a prefix outside of `kubernetes.io` and `k8s.io`",
                    plural)};
  }
  if (const auto rest = text_after(error, "invalid node labels: '")) {
    const std::string_view text = text_before(*rest, "' - ");
    const bool is_key =
        std::ranges::any_of(pool.labels, [&](const PoolLabel& label) { return label.key == text; });
    if (!is_key) {
      return PlainError{fmt::format("`{}` is not a valid label value", text),
                        "use at most 63 characters, only `-`, `_`, `.`, letters and digits"};
    }
    return PlainError{fmt::format("`{}` is not a valid label key", text),
                      is_text ? "write each label as `KEY=VALUE`, such as `example.com/team=vision`"
                              : "write a valid label key, such as `example.com/team`"};
  }
  if (const auto rest = text_after(error, "spec.nodeLabels: ")) {
    return PlainError{fmt::format("the label `{}` has more than one slash",
                                  text_before(*rest, ": more than one slash")),
                      "use at most one slash in the label"};
  }
  return std::nullopt;
}

/// Errors about a field whose value has another type. `place`: see find_error_place().
[[nodiscard]] std::optional<PlainError> explain_type_error(const NodePool& pool, Node place,
                                                           std::string_view error) {
  const std::string_view field = text_before(error, " must be ");
  if (field.size() == error.size()) return std::nullopt;
  if (error.ends_with("must be a list")) {
    return PlainError{fmt::format("`{}` must be a list", field),
                      fmt::format("write `{}: [{}]`", field, pool.node.get(field).text())};
  }
  if (place.is_scalar() && !place.is_opaque() && read_string(place).is_mistyped()) {
    return PlainError{
        fmt::format("`{}` in `{}` is a {}, not a string", place.text(), field, read_type(place)),
        "quote the value"};
  }
  if (error.ends_with("list of strings")) {
    return PlainError{fmt::format("`{}` must be a list of strings", field),
                      "write each taint as a string, such as `nvidia.com/gpu=present:NoSchedule`"};
  }
  if (field == "taints") {
    return PlainError{"`taints` has the wrong form",
                      "write a list of taints, each of them with only `key`, `value` and `effect`"};
  }
  return PlainError{fmt::format("`{}` must be a mapping of strings", field),
                    fmt::format("write each label in `{}` as a key with a string", field)};
}

/// `place`: see find_error_place().
[[nodiscard]] PlainError explain_error(const NodePool& pool, Node place, std::string_view error) {
  const bool is_kubelets = pool.error.empty();
  if (error.starts_with(decoding)) error.remove_prefix(decoding.size());
  if (auto plain = explain_taint_error(error)) return *std::move(plain);
  if (auto plain = explain_label_error(pool, error, is_kubelets)) return *std::move(plain);
  if (auto plain = explain_type_error(pool, place, error)) return *std::move(plain);
  if (const auto name = text_after(error, "unknown field \"")) {
    const std::string_view field = text_before(*name, "\"");
    return {fmt::format("`{}` is an unknown field", field),
            fmt::format("remove `{}`, or correct the name", field)};
  }
  if (const auto role = text_after(error, "unhandled instanceGroup role \"")) {
    return {fmt::format("`{}` is not a role", text_before(*role, "\"")),
            "set `role: Node`, or another role of kOps"};
  }
  if (error == "a key is set twice") return {std::string(error), "set each key only once"};
  // After a dash the kubelet explains the syntax of names.
  return {fmt::format("of the error `{}`", text_before(error, " - ")), "correct the setting"};
}

/// Who creates the nodes of a pool that tool_of() rejects.
[[nodiscard]] std::string_view creator_of(const NodePool& pool) {
  return pool.source == NodePool::Source::cluster_api ? "Cluster API" : tool_of(pool);
}

}  // namespace

void report_tool_error(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  // A group without a role is an excerpt.
  if (tool_of(pool).empty() || pool.error.find("role \"\"") != std::string::npos) return;
  const bool is_kubelets = pool.error.empty();
  const std::string& error = is_kubelets ? pool.kubelet_error : pool.error;
  if (error.empty()) return;
  const ErrorPlace place = find_error_place(pool, error);
  const PlainError plain = explain_error(pool, place.node, error);
  Finding finding =
      reporter.report_span(place.span, name_node(pool), "{} rejects {}{}, because {}",
                           is_kubelets ? "the kubelet" : tool_of(pool),
                           is_kubelets ? "the settings of " : "", describe(pool), plain.reason);
  finding
      .help("{}. Otherwise {}", plain.advice,
            is_kubelets ? "the machines of the pool start, but do not join the cluster"
                        : fmt::format("{} creates no node for the pool", creator_of(pool)))
      // Newer releases may have the field.
      .at_most(error.find("unknown field") == std::string::npos ? Severity::error
                                                                : Severity::warning);
  offer_pool_fix(corpus, place.node, error, finding);
}

}  // namespace gpulint::rules::invalid_node_pool
