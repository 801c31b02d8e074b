#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"

namespace gpulint::render {

/// A chart that is not a subchart of another one.
struct FoundChart {
  std::string folder;  ///< As in the paths of its files; `.` for the current folder.
  std::string name;
  FileId file = 0;                        ///< Its Chart.yaml.
  Span name_span;                         ///< The value of `name` there; empty: there is none.
  std::vector<std::string> dependencies;  ///< The names of those that it declares.
  bool is_library = false;                ///< Other charts use it; it cannot be rendered alone.
};

/// The charts among files: folders with a Chart.yaml. Sorted by folder.
[[nodiscard]] std::vector<FoundChart> find_charts(const SourceSet& sources,
                                                  const std::vector<FileId>& files);

/// The path from a folder on; empty if the path is not below the folder.
[[nodiscard]] std::string_view path_below(std::string_view path, std::string_view folder);

/// Whether a file of a chart is a template: below `templates/` of the chart or of a subchart.
/// `path` begins at the chart's folder.
[[nodiscard]] bool is_template_path(std::string_view path);

/// Whether a file of a chart has values of the chart or of a subchart that its parents override.
[[nodiscard]] bool is_values_path(std::string_view path);

}  // namespace gpulint::render
