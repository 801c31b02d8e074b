#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/engine/config.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_file.h"
#include "compiler/project/request.h"
#include "compiler/render/decide.h"
#include "compiler/render/rendering.h"

namespace gpulint {

/// A chart that was rendered once, with one set of values.
struct RenderedChart {
  /// A file that takes part in the rendering.
  struct Source {
    FileId file = 0;
    render::SourceText::Kind kind = render::SourceText::Kind::values;
    std::string key;        ///< Its path below the chart; empty for a layer of the user.
    std::size_t layer = 0;  ///< Of the user: its index in the request.
    std::string name;       ///< Of a template: as in render::RenderedTemplate.
  };

  std::string folder;  ///< As in paths of inputs.
  std::string name;
  std::string error;                ///< Why it did not render, one line; empty: it did.
  bool has_user_values = false;     ///< Not only the chart's own.
  std::vector<Source> sources;      ///< Values lowest layer first, then templates.
  render::ChartRequest request;     ///< Of the plain rendering.
  render::Rendering plain;          ///< Empty if it did not render.
  std::vector<FileId> outputs;      ///< The file of each plain template.
  std::vector<FileId> of_template;  ///< Its template, or Chart.yaml if that is in an archive.
};

/// What was rendered for a project.
struct RenderedCharts {
  std::vector<std::unique_ptr<const RenderedChart>> charts;
  std::map<FileId, std::size_t> by_file;  ///< The chart of each rendered file.
  std::vector<std::string> errors;        ///< Of the request, ready to print: exit status 2.

  [[nodiscard]] bool contains(FileId file) const { return by_file.contains(file); }
};

/// Renders the charts among the inputs with the values of the request; without those, once for each
/// of their uses (chart_installs.h), or with their own values alone. The rendered files replace the
/// templates among `inputs`. `request.renderer` must not be null.
[[nodiscard]] RenderedCharts render_charts(const Request& request, const Config& config,
                                           const FileSystem& files, std::vector<InputFile>& inputs,
                                           SourceSet& sources);

/// The sources of a chart as texts.
[[nodiscard]] std::vector<render::SourceText> texts_of(const RenderedChart& chart,
                                                       const SourceSet& sources);

/// Renders a chart with changed sources. Both arguments must outlive the result.
[[nodiscard]] render::Render render_again(const RenderedChart& chart, render::Renderer& renderer);

}  // namespace gpulint
