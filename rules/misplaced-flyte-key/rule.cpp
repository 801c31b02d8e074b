#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "rules/support/flyte_paths.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/move_entry.h"

namespace gpulint::rules {
namespace {

[[nodiscard]] bool has_dot(std::string_view key) { return key.find('.') != key.npos; }

/// Where a key stands that is one of `plugins.k8s`.
struct Place {
  std::vector<std::string_view> keys;  ///< From the document's root to its mapping.
  bool is_below = false;               ///< In the section or deeper …
  std::size_t depth = 0;               ///< … which is so many keys down.
};

/// Whether Flyte reads the key there, or nobody can say that it was meant for Flyte.
[[nodiscard]] bool is_in_order(const PluginReader& reader, const Place& place,
                               std::string_view key) {
  const auto& keys = place.keys;
  const bool is_below_path = std::ranges::any_of(
      keys, [](std::string_view k) { return has_dot(k) && is_flyte_plugin_key(k); });
  if (is_below_path) return true;  // told at that key
  const bool is_gpu_key = is_flyte_gpu_key(key);
  if (place.is_below) {
    if (keys.size() == place.depth) return !has_dot(key);
    return !is_gpu_key || keys[place.depth].starts_with("default-");
  }
  // Of flyte-binary's own values, and of another chart's that is like flyte-core.
  if (key == "co-pilot" && keys.size() == 1 && keys.front() == "configuration") return true;
  std::size_t length = 0;
  if (begins_with(keys, "config.*.plugins.k8s", length)) return true;
  return !is_gpu_key && !is_near_plugins(keys, reader.path);
}

void report_path(Reporter& reporter, const PluginReader& reader, Node key) {
  std::string_view rest = key.text();
  for (const std::string_view section : {"plugins.", "k8s"}) {
    if (rest.starts_with(section)) rest.remove_prefix(section.size());
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  reporter.report(key, "`{}` is one key with a dot to Flyte, no path", key.text())
      .help("write nested keys: `{}{}{}`, each in a mapping of its own", example_path(reader),
            rest.empty() ? "" : ".", rest);
}

void check_document(const Corpus& corpus, Reporter& reporter, Node root, flyte::DocumentKind kind) {
  const PluginReader reader = plugin_reader(kind);
  const NewPlace section = find_plugin_section(reader, root);
  const auto offer = [&](Finding finding, Node value) {
    finding.fix(Safety::unsafe, fmt::format("move it to `{}`", example_path(reader)),
                move_entry(*corpus.sources, value, section));
  };
  Node reported;
  walk(root, [&](Node value) {
    const Node key = value.key();
    if (!key || key.is_opaque() || !is_flyte_plugin_key(key.text()) || value.parent() == reported)
      return;
    Place place{.keys = keys_between(root, value.parent())};
    place.is_below = begins_with(place.keys, reader.path, place.depth);
    if (is_in_order(reader, place, key.text())) return;
    if (has_dot(key.text())) return report_path(reporter, reader, key);
    reported = value.parent();
    const std::vector<std::string_view>& keys = place.keys;
    if (place.is_below) {
      offer(reporter
                .report(key, "`{}` stands inside `{}`, where Flyte ignores it", key.text(),
                        keys.back())
                .help("it belongs beside `{}`, directly under `plugins.k8s`", keys[place.depth]),
            value);
      return;
    }
    offer(reporter
              .report(key, "`{}` stands {}, where {} does not look", key.text(),
                      keys.empty() ? "at the root"
                                   : fmt::format("under `{}`", fmt::join(keys, ".")),
                      reader.name)
              .help("{} reads it under `{}`", reader.name, example_path(reader)),
          value);
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    const flyte::FlyteDocument known = recognize_values(*document, corpus.settings->flyte_chart);
    if (known.kind != flyte::DocumentKind::none)
      check_document(corpus, reporter, known.root, known.kind);
  }
}

}  // namespace

extern constinit const Rule misplaced_flyte_key;
constinit const Rule misplaced_flyte_key{
    .info = {.id = "misplaced-flyte-key",
             .category = "flyte",
             .summary = "A known Flyte key stands where this chart does not read it.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
