#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/edit/move_entry.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/ir/node.h"
#include "compiler/model/settings.h"

namespace gpulint::rules {

// Queries about Flyte's `plugins.k8s`. Pointers are valid as long as the configuration.

/// Every toleration that the section can inject, in the order of its keys.
[[nodiscard]] std::vector<const Toleration*> all_tolerations(const flyte::K8sPluginConfig& config);

/// Every single requirement that the section can inject, without those of default-affinity.
[[nodiscard]] std::vector<const SelectorRequirement*> all_requirements(
    const flyte::K8sPluginConfig& config);

/// The problems that prevent Flyte from starting: in this `plugins.k8s`, or a file that is not a
/// mapping. The first one per mapping, because the others have the same cause.
[[nodiscard]] std::vector<flyte::ConfigProblem> distinct_problems(const flyte::FlyteConfig& config);

/// Every text of the section except those of tolerations and requirements: names, labels, values of
/// node selectors.
[[nodiscard]] std::vector<const Field<std::string>*> all_single_texts(
    const flyte::K8sPluginConfig& config);

/// Whether Flyte reads the scalar as another text than it is written: `true` → `1`. Letter case
/// alone does not count, because Flyte lower-cases keys.
[[nodiscard]] bool is_converted(const Field<std::string>& text);

/// Any key of `plugins.k8s`, also a path that is written as one key: `co-pilot.name`,
/// `k8s.default-cpus`. Flyte does not read a key with dots as a path.
[[nodiscard]] bool is_flyte_plugin_key(std::string_view written);
/// Keys that belong to Flyte's `plugins.k8s` wherever they are.
[[nodiscard]] bool is_flyte_gpu_key(std::string_view written);

/// A node selector requirement in the form of a toleration: `operator: Equal` with `value: x`, or
/// an operator as the value. Flyte drops `value`, and the API server rejects the rest.
struct TolerationForm {
  Node op;
  Node value;
  std::string_view meant;  ///< The right operator.
};

[[nodiscard]] std::optional<TolerationForm> find_toleration_form(Node requirement);
/// Reports it and offers to correct it.
Finding report_form(const SourceSet& sources, Reporter& reporter, const TolerationForm& form,
                    Safety safety);

/// The Flyte configurations or chart values in a document, by the declared chart, else by the keys
/// of the document, even if all of Flyte's keys are in the wrong place. One per release.
[[nodiscard]] std::vector<flyte::FlyteDocument> recognize_values(const Document& document,
                                                                 FlyteChart chart);

/// Whether a mapping at these keys is a likely wrong place for keys of `plugins.k8s`: the root, the
/// mappings on the path to the section, `plugins` itself, another plugin.
[[nodiscard]] bool is_near_plugins(const std::vector<std::string_view>& keys,
                                   std::string_view section);

/// What the reader of a document does with a duplicate key: `Flyte does not start` …
[[nodiscard]] std::string_view consequence_of_repeated_keys(const Corpus& corpus,
                                                            const Document& document);

/// Who reads `plugins.k8s` of a kind of document, and where.
struct PluginReader {
  std::string_view name;
  std::string_view path;  ///< `*` matches one key.
};

[[nodiscard]] PluginReader plugin_reader(flyte::DocumentKind kind);

/// The path with `k8s` for `*`.
[[nodiscard]] std::string example_path(const PluginReader& reader);

/// The `plugins.k8s` that the reader finds below `root`, with the keys that are missing on the path
/// to it.
[[nodiscard]] NewPlace find_plugin_section(const PluginReader& reader, Node root);

/// Keys from `root` down to `node`, without list items and merge keys (`<<`).
[[nodiscard]] std::vector<std::string_view> keys_between(Node root, Node node);

/// Whether the keys begin with the path, in any letter case; `length`: the number of its keys.
[[nodiscard]] bool begins_with(const std::vector<std::string_view>& keys, std::string_view path,
                               std::size_t& length);

// Values that are set by their path: `helm --set`, as Argo CD's `parameters` and others write it.

/// Whether a key is part of the path of a setting, not a separate key.
[[nodiscard]] bool is_in_path(Node written, std::string_view key);

/// Renames a part of the path of a setting. No edits if the path contains it twice.
[[nodiscard]] std::vector<Edit> rename_in_path(const SourceSet& sources, Node path,
                                               std::string_view key, std::string_view name);

/// Adds a help on how the value of a setting stays a string, and a fix if the format has a key for
/// that. False if `value` is not the value of a setting.
bool help_to_stay_text(const SourceSet& sources, Node value, Finding finding);

}  // namespace gpulint::rules
