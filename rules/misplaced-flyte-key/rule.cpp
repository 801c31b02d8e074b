#include "compiler/engine/rule.h"

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
    if (!key || key.is_opaque() || !is_flyte_gpu_key(key.text()) || value.parent() == reported)
      return;
    const std::vector<std::string_view> keys = keys_between(root, value.parent());
    std::size_t length = 0;
    const bool is_below = begins_with(keys, reader.path, length);
    if (is_below && (keys.size() == length || keys[length].starts_with("default-"))) return;
    reported = value.parent();
    if (is_below) {
      offer(reporter
                .report(key, "`{}` stands inside `{}`, where Flyte ignores it", key.text(),
                        keys.back())
                .help("it belongs beside `{}`, directly under `plugins.k8s`", keys[length]),
            value);
      return;
    }
    offer(reporter
              .report(key, "`{}` stands under `{}`, where {} does not look", key.text(),
                      keys.empty() ? "the root" : fmt::format("{}", fmt::join(keys, ".")),
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
             .summary = "A known Flyte GPU key stands where this chart does not read it.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
