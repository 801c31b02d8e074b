#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/edit/move_entry.h"
#include "compiler/engine/reporter.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/loaded_release.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/settings.h"

namespace gpulint::rules {

// What several rules ask of Flyte's `plugins.k8s`. Pointers are valid as long as the configuration.

/// Every toleration that the section can inject, in the order of its keys.
[[nodiscard]] std::vector<const Toleration*> all_tolerations(const flyte::K8sPluginConfig& config);

/// Every single requirement that the section can inject; those of default-affinity are not among
/// them.
[[nodiscard]] std::vector<const SelectorRequirement*> all_requirements(
    const flyte::K8sPluginConfig& config);

/// Why Flyte does not start with this `plugins.k8s`, or with a file that is no mapping: of several
/// problems in one mapping the first, since they have one cause.
[[nodiscard]] std::vector<flyte::ConfigProblem> distinct_problems(const flyte::FlyteConfig& config);

/// Every text of the section beside those of tolerations and requirements: names, labels to look
/// at, values of node selectors.
[[nodiscard]] std::vector<const Field<std::string>*> all_single_texts(
    const flyte::K8sPluginConfig& config);

/// A scalar that Flyte holds otherwise than it is written: `true` → `1`. Not where the letter case
/// alone differs, as in keys that it lower-cases.
[[nodiscard]] bool is_converted(const Field<std::string>& text);

/// Any key of `plugins.k8s`, whatever it is about, also where a path stands in one key:
/// `co-pilot.name`, `k8s.default-cpus`. Flyte reads no key with dots as a path.
[[nodiscard]] bool is_flyte_plugin_key(std::string_view written);
/// Keys that mean nothing but Flyte's `plugins.k8s`, wherever they stand.
[[nodiscard]] bool is_flyte_gpu_key(std::string_view written);

/// A node selector requirement in the form of a toleration: `operator: Equal` with `value: x`, or
/// an operator that stands as the value. Flyte drops `value`, and the API server refuses the rest.
struct TolerationForm {
  Node op;
  Node value;
  std::string_view meant;  ///< The operator that is meant.
};

[[nodiscard]] std::optional<TolerationForm> find_toleration_form(Node requirement);
/// Reports it and offers to correct it.
Finding report_form(const SourceSet& sources, Reporter& reporter, const TolerationForm& form,
                    Safety safety);

/// What a document is to Flyte as its chart reads it, also where all that is Flyte's in it stands
/// elsewhere: by the chart that is declared, else by the other keys of the document. Several where
/// it holds values of several releases.
[[nodiscard]] std::vector<flyte::FlyteDocument> recognize_values(const Document& document,
                                                                 FlyteChart chart);

/// Whether a mapping at these keys of a document is where somebody looks for keys of `plugins.k8s`
/// who is mistaken in the place: the root and what leads to the section, `plugins` itself, another
/// plugin.
[[nodiscard]] bool is_near_plugins(const std::vector<std::string_view>& keys,
                                   std::string_view section);

/// What becomes of a document with a key twice, by whoever reads it: `Flyte refuses to start` …
[[nodiscard]] std::string_view consequence_of_repeated_keys(const Corpus& corpus,
                                                            const Document& document);

/// Who reads `plugins.k8s` of a kind of document, and where.
struct PluginReader {
  std::string_view name;
  std::string_view path;  ///< `*` stands for one key.
};

[[nodiscard]] PluginReader plugin_reader(flyte::DocumentKind kind);

/// The path with `k8s` for `*`.
[[nodiscard]] std::string example_path(const PluginReader& reader);

/// The `plugins.k8s` that the reader finds below `root`; the keys that are not there yet are left
/// to be made.
[[nodiscard]] NewPlace find_plugin_section(const PluginReader& reader, Node root);

/// Keys from `root` down to `node`, without list items and merge keys (`<<`).
[[nodiscard]] std::vector<std::string_view> keys_between(Node root, Node node);

/// Whether the keys begin with the path, in any letter case; `length`: how many keys it takes.
[[nodiscard]] bool begins_with(const std::vector<std::string_view>& keys, std::string_view path,
                               std::size_t& length);

// Values that are set by their path: `helm --set`, as Argo CD's `parameters` and others write it.

/// Whether a key is a part of the path of a setting, and not a key of its own.
[[nodiscard]] bool is_in_path(Node written, std::string_view key);

/// Renames a part of the path of a setting. No edits where it stands there twice.
[[nodiscard]] std::vector<Edit> rename_in_path(const SourceSet& sources, Node path,
                                               std::string_view key, std::string_view name);

/// Says how the value of a setting stays a string, and does it where the format has a word for it.
/// False where `value` is no value of a setting.
bool help_to_stay_text(const SourceSet& sources, Node value, Finding finding);

}  // namespace gpulint::rules
