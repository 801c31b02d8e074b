#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/flyte/helm_chart.h"
#include "compiler/flyte/resources.h"
#include "compiler/ir/document.h"
#include "compiler/model/kinds/flyte_document.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// One Flyte installation, as far as the inputs describe it.
struct LoadedRelease {
  enum class Source : std::uint8_t {
    values,     ///< A values file, or the layers of one release.
    manifests,  ///< Rendered ConfigMaps.
    config      ///< Bare configuration files.
  };
  Source source = Source::config;
  FlyteChart chart = FlyteChart::unknown;
  FlyteVersion version = FlyteVersion::v1;
  bool version_is_known = false;  ///< Declared or evident from the inputs; else 1 is assumed.
  std::vector<const Document*> documents;  ///< Its documents, in order.
  bool is_partial = false;  ///< More values exist than the inputs have: unset values are unknown.
  bool has_propeller = false;  ///< False: the pods of tasks are unknown.
  FlyteConfig propeller;       ///< With `plugins.k8s`. Its problems include Helm's errors.
  bool has_admin = false;
  FlyteConfig admin;           ///< With `task_resources`; for flyte-binary the same as propeller.
  PlatformResources platform;  ///< The limits of `admin`, or empty.
  std::vector<LostValue> lost_values;  ///< Among the layers of values.
};

/// The installations in the documents of one scope: each values file by itself, except for layers
/// that settings name; the ConfigMaps of each namespace and release; all bare configuration files
/// together. A declared chart makes a release even without values.
[[nodiscard]] std::vector<LoadedRelease> find_releases(std::span<const Document* const> documents,
                                                       const SourceSet& sources,
                                                       const Settings& settings);

/// The version that documents show: image tags, chart labels, keys of one version only.
[[nodiscard]] FlyteVersion detect_version(std::span<const Document* const> documents);

/// An installation from the given configuration files, in load order.
[[nodiscard]] LoadedRelease load_files(std::span<const ConfigFile> files, FlyteVersion version);

/// An installation of one release.
[[nodiscard]] LoadedRelease load_release(const HelmRelease& release);

}  // namespace gpulint::flyte
