#include "compiler/engine/rule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/flyte/decode.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/ir/node.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::unknown_flyte_key {
namespace {

/// The keys of mappings in lower case; each mapping is read once.
class SaidKeys {
 public:
  /// Whether the mapping already has the key.
  [[nodiscard]] bool contain(Node mapping, std::string_view name) {
    const auto [at, is_new] = keys_.try_emplace({mapping.document(), mapping.index()});
    if (is_new) {
      for (const Node::Entry& entry : mapping.fields()) {
        at->second.insert(to_lower(entry.key.text()));
      }
    }
    return at->second.contains(to_lower(name));
  }

 private:
  std::map<std::pair<const Document*, NodeIndex>, std::unordered_set<std::string>> keys_;
};

constexpr std::string_view plugins = "plugins.";

/// Where a section belongs that is outside of `plugins` and not inside, or the reverse; else empty.
[[nodiscard]] std::string_view place_of_section(const flyte::UnknownKey& unknown) {
  const auto is_listed = [&](std::span<const std::string_view> names) {
    return std::ranges::find(names, to_lower(unknown.key)) != names.end();
  };
  const bool is_at_root = unknown.path == unknown.key;
  if (is_at_root && is_listed(flyte::plugin_section_names())) return "under `plugins`";
  const bool is_plugin = unknown.path.size() == plugins.size() + unknown.key.size();
  return !is_at_root && is_plugin && is_listed(flyte::root_section_names())
             ? "to the root of the configuration"
             : "";
}

/// The sections that Flyte registers where the key is: at the root, or under `plugins`.
[[nodiscard]] std::span<const std::string_view> section_names(const flyte::UnknownKey& unknown) {
  return unknown.path.starts_with(plugins) ? flyte::plugin_section_names()
                                           : flyte::root_section_names();
}

/// Whether keys about GPUs are anywhere below: misplaced-flyte-key reports those.
[[nodiscard]] bool holds_gpu_keys(Node value) {
  return any_below(value, [](Node inner) { return is_flyte_gpu_key(inner.key().text()); });
}

/// Whether misplaced-flyte-key reports the unknown section or its keys.
[[nodiscard]] bool is_told_as_misplaced(const flyte::UnknownKey& unknown) {
  const auto is_plugin_key = [](Node inner) { return is_flyte_plugin_key(inner.key().text()); };
  if (is_flyte_plugin_key(unknown.key) || holds_gpu_keys(unknown.value)) return true;
  if (!unknown.path.starts_with(plugins)) return false;
  const std::vector<Node> below =
      unknown.value.is_mapping() ? unknown.value.children() : std::vector<Node>{};
  return std::ranges::any_of(below, is_plugin_key) ||
         (unknown.key == "plugins" && any_below(unknown.value, is_plugin_key));
}

/// Reports a key outside of `plugins.k8s`. Without `is_whole` it is from the values of a chart: a
/// build of Flyte may have plugins of its own and the chart around it sections, so only a misspelt
/// or misplaced section is reported.
void check_section(Reporter& reporter, const flyte::UnknownKey& unknown,
                   std::optional<std::string_view> suggestion, bool is_whole) {
  const bool is_of_admin = unknown.path.starts_with("task_resources.");
  const std::string_view place = place_of_section(unknown);
  if ((!is_whole || is_of_admin) && !suggestion && place.empty()) return;
  Finding finding =
      reporter.report(unknown.key_node, "Flyte ignores the unknown key `{}`", unknown.path);
  if (!place.empty()) {
    finding.help("move `{}` {}", unknown.key, place);
  } else if (suggestion) {
    finding.help("did you mean `{}`?", *suggestion);
  } else if (unknown.key.find('.') != std::string::npos) {
    finding.help("write nested keys, because Flyte reads a key with dots as one key");
  } else {
    finding.help(
        "remove the key, because Flyte's configuration has no section with this or a similar name");
  }
}

constexpr std::string_view section = "plugins.k8s.";

[[nodiscard]] std::optional<std::string_view> suggest(const flyte::TypeTable& types,
                                                      const flyte::UnknownKey& unknown) {
  const flyte::GoStruct* structure = types.find(unknown.type);
  if (structure == nullptr) return nearest(unknown.key, section_names(unknown));
  std::vector<std::string_view> names(structure->fields.size());
  std::ranges::transform(structure->fields, names.begin(), &flyte::GoField::name);
  return nearest(unknown.key, names);
}

/// A `value` in a requirement that needs no values: the API would reject it under a new name.
[[nodiscard]] bool needs_no_values(Node mapping) {
  return std::ranges::any_of(mapping.fields(), [](const Node::Entry& entry) {
    return equal_fold(entry.key.text(), "operator") &&
           (entry.value.text() == "Exists" || entry.value.text() == "DoesNotExist");
  });
}

/// Keys of `plugins.k8s` that another rule reports: known to the other version, or misplaced.
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
  if (is_values && find_toleration_form(mapping)) return;  // another rule reports it
  const bool is_setting = is_in_path(unknown.key_node, unknown.key);
  Finding finding =
      reporter.report(unknown.key_node, "Flyte ignores the unknown key `{}`",
                      is_setting ? std::string_view(unknown.key) : unknown.key_node.text());
  if (is_flyte_plugin_key(unknown.key)) {
    finding.help("move the key directly under `plugins.k8s`");
    return;
  }
  if (!suggestion) {
    finding.help("remove the key, because `{}` has no key with this or a similar name",
                 unknown.path.substr(0, unknown.path.rfind('.')));
    return;
  }
  if (is_values && !is_setting && needs_no_values(mapping)) {
    finding
        .help("remove the key, because the operators `Exists` and `DoesNotExist` accept no values")
        .fix(Safety::safe, fmt::format("remove `{}`", unknown.key),
             remove_entry(*corpus.sources, unknown.value));
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
