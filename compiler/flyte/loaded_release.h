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
  bool version_is_known = false;  ///< Declared, or evident from the inputs; else 1 is assumed.
  std::vector<const Document*> documents;  ///< What it is made of, in order.
  bool is_partial = false;  ///< Further values are not among the inputs: what is not said is open.
  bool has_propeller = false;  ///< False: what Flyte makes of tasks cannot be told.
  FlyteConfig propeller;       ///< Holds `plugins.k8s`. Helm's refusals are among its problems.
  bool has_admin = false;
  FlyteConfig admin;           ///< Holds `task_resources`; of flyte-binary the same as propeller.
  PlatformResources platform;  ///< What `admin` says, or nothing.
  std::vector<LostValue> lost_values;  ///< Among the layers of values.
};

/// The installations that documents of one scope describe: each values file on its own, but for the
/// layers that settings name; the ConfigMaps of each namespace and release; all bare configuration
/// files together. With a declared chart there is a release even without any values.
[[nodiscard]] std::vector<LoadedRelease> find_releases(std::span<const Document* const> documents,
                                                       const SourceSet& sources,
                                                       const Settings& settings);

/// The version that documents speak of: image tags, chart labels, keys of one version only.
[[nodiscard]] FlyteVersion detect_version(std::span<const Document* const> documents);

/// An installation out of configuration files at hand, in load order.
[[nodiscard]] LoadedRelease load_files(std::span<const ConfigFile> files, FlyteVersion version);

/// An installation of one release.
[[nodiscard]] LoadedRelease load_release(const HelmRelease& release);

}  // namespace gpulint::flyte
