#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/render/decide.h"
#include "compiler/render/rendering.h"

namespace gpulint {

/// A chart that was rendered once, with one set of values, or a kustomization.
struct RenderedInput {
  /// A file that takes part in the rendering.
  struct Source {
    FileId file = 0;
    render::SourceText::Kind kind = render::SourceText::Kind::values;
    /// Its path below the chart, or for a kustomization its absolute path; empty for a layer of the
    /// user.
    std::string key;
    std::size_t layer = 0;     ///< Of the user: its index in the request.
    std::string name;          ///< As in render::SourceText.
    bool is_editable = false;  ///< Fixes may edit it.
    Span setting;              ///< Not empty: the place of everything in it.
  };

  std::string folder;            ///< As in paths of inputs.
  std::string name;              ///< Of the chart.
  std::string error;             ///< Why it did not render, one line; empty: it did.
  bool has_user_values = false;  ///< Not only the chart's own.
  std::vector<Source> sources;   ///< Values lowest layer first, then templates.
  std::string name_space;        ///< Of objects that do not name one.
  std::variant<render::ChartRequest, render::BuildRequest> request;  ///< Of the plain rendering.
  render::Rendering plain;          ///< Empty if it did not render.
  std::vector<FileId> outputs;      ///< The file of each plain template.
  std::vector<FileId> of_template;  ///< Its template, or Chart.yaml if that is in an archive; the
                                    ///< kustomization.

  [[nodiscard]] bool is_chart() const {
    return std::holds_alternative<render::ChartRequest>(request);
  }
};

}  // namespace gpulint
