#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/project/file_system.h"
#include "compiler/render/find_charts.h"

namespace gpulint {

/// Values for a chart: a file, a part of one, or a setting in one (`parameters`, `set`).
struct ChartLayer {
  std::string path;  ///< Of the file.
  Span part;         ///< Empty: the whole file. Else the YAML in it, with the file's indentation.
  std::string setting = {};  ///< The setting at `part` as YAML; empty: it is not one.
};

/// An entry of gpulint.yaml, or an object, that installs a chart of the tree.
struct ChartInstall {
  std::size_t chart = 0;           ///< The index of the chart.
  std::vector<ChartLayer> layers;  ///< Lowest first.
  std::string release;             ///< Empty: not set.
  std::string name_space;
  std::string error;  ///< Why its values are unknown; empty: they are known.
};

/// The uses of charts: those in gpulint.yaml, then those of HelmReleases, Applications and
/// ApplicationSets, of helmfiles and of `helmCharts` in kustomizations. `inputs`: the files that
/// may have such objects.
[[nodiscard]] std::vector<ChartInstall> find_chart_installs(
    const Config& config, const FileSystem& files, const SourceSet& sources,
    const std::vector<FileId>& inputs, const std::vector<render::FoundChart>& charts);

/// The absolute path of a chart's folder, without a slash at its end.
[[nodiscard]] std::string absolute_folder(const FileSystem& files, const std::string& folder);

/// The file's text with blanks in place of everything around a part of it. Offsets stay.
[[nodiscard]] std::string text_of_part(const SourceFile& file, Span part);

}  // namespace gpulint
