#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/type_table.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "rules/support/flyte_queries.h"
#include "rules/support/settings.h"
#include "rules/unknown-flyte-key/said_keys.h"
#include "rules/unknown-flyte-key/sections.h"

namespace gpulint::rules::unknown_flyte_key {
namespace {

constexpr std::string_view section = "plugins.k8s.";

[[nodiscard]] std::optional<std::string_view> suggest(const flyte::TypeTable& types,
                                                      const flyte::UnknownKey& unknown) {
  const flyte::GoStruct* structure = types.find(unknown.type);
  if (structure == nullptr) return nearest(unknown.key, section_names(unknown));
  std::vector<std::string_view> names(structure->fields.size());
  std::ranges::transform(structure->fields, names.begin(), &flyte::GoField::name);
  return nearest(unknown.key, names);
}

/// `value` of a requirement that needs no values: a new name would make the API refuse it.
[[nodiscard]] bool needs_no_values(Node mapping) {
  return std::ranges::any_of(mapping.fields(), [](const Node::Entry& entry) {
    return equal_fold(entry.key.text(), "operator") &&
           (entry.value.text() == "Exists" || entry.value.text() == "DoesNotExist");
  });
}

/// Keys of `plugins.k8s` that another rule tells: known to the other version, or misplaced.
[[nodiscard]] bool is_told_elsewhere(const flyte::UnknownKey& unknown) {
  const std::string_view rest = std::string_view(unknown.path).substr(section.size());
  if (rest == unknown.key) return is_flyte_plugin_key(unknown.key) || holds_gpu_keys(unknown.value);
  if (rest.starts_with("default-")) return false;
  return is_flyte_gpu_key(unknown.key) || holds_gpu_keys(unknown.value);
}

void check_key(const Corpus& corpus, Reporter& reporter, const flyte::TypeTable& types,
               const flyte::UnknownKey& unknown, SaidKeys& said) {
  if (is_told_elsewhere(unknown)) return;
  const auto suggestion = suggest(types, unknown);
  const bool is_values = suggestion == "values";
  const Node mapping = unknown.key_node.parent();
  if (is_values && find_toleration_form(mapping)) return;  // another rule speaks of the whole form
  const bool is_setting = is_in_path(unknown.key_node, unknown.key);
  Finding finding =
      reporter.report(unknown.key_node, "Flyte ignores the unknown key `{}`",
                      is_setting ? std::string_view(unknown.key) : unknown.key_node.text());
  if (is_flyte_plugin_key(unknown.key)) {
    finding.help("move it directly under `plugins.k8s`");
    return;
  }
  if (!suggestion) {
    finding.help("no key of `{}` is spelt so or nearly so",
                 unknown.path.substr(0, unknown.path.rfind('.')));
    return;
  }
  if (is_values && !is_setting && needs_no_values(mapping)) {
    finding.help("the operator takes no values")
        .fix(Safety::safe, "remove it", remove_entry(*corpus.sources, unknown.value));
    return;
  }
  finding.help("did you mean `{}`?", *suggestion);
  if (is_setting) {
    finding.fix(Safety::safe, fmt::format("rename to `{}`", *suggestion),
                rename_in_path(*corpus.sources, unknown.key_node, unknown.key, *suggestion));
    return;
  }
  if (said.contain(mapping, *suggestion)) return;
  finding.fix(Safety::safe, fmt::format("rename to `{}`", *suggestion),
              replace_string(*corpus.sources, unknown.key_node, *suggestion));
}

void check(const Corpus& corpus, Reporter& reporter) {
  SaidKeys said;
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::FlyteConfig& config = installation.loaded.propeller;
    const flyte::TypeTable types(config.version);
    const bool is_whole = installation.loaded.source != flyte::LoadedRelease::Source::values;
    for (const flyte::UnknownKey& unknown : config.unknown_keys) {
      if (!unknown.key_node || unknown.key_node.is_opaque()) continue;
      if (unknown.path.starts_with(section)) {
        check_key(corpus, reporter, types, unknown, said);
      } else if (!is_told_as_misplaced(unknown)) {
        check_section(reporter, unknown, suggest(types, unknown), is_whole);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::unknown_flyte_key
