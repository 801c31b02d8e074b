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
#include "compiler/project/rendered_input.h"
#include "compiler/project/request.h"
#include "compiler/render/decide.h"

namespace gpulint {

/// What was rendered for a project.
struct RenderedInputs {
  std::vector<std::unique_ptr<const RenderedInput>> all;
  std::map<FileId, std::size_t> by_file;  ///< Of each rendered file: its index in `all`.
  std::vector<std::string> errors;        ///< Of the request, ready to print: exit status 2.

  [[nodiscard]] bool contains(FileId file) const { return by_file.contains(file); }
};

/// Renders the charts among the inputs with the values of the request; without those, once for each
/// of their uses (chart_installs.h), or with their own values alone. The rendered files replace the
/// templates among `inputs`. Also builds the topmost kustomizations that gpulint itself cannot
/// build as a whole; the result is one more input. `request.renderer` must not be null.
[[nodiscard]] RenderedInputs render_inputs(const Request& request, const Config& config,
                                           const FileSystem& files, std::vector<InputFile>& inputs,
                                           SourceSet& sources);

/// The sources as texts.
[[nodiscard]] std::vector<render::SourceText> texts_of(const RenderedInput& input,
                                                       const SourceSet& sources);

/// Renders with changed sources. Both arguments must outlive the result.
[[nodiscard]] render::Render render_again(const RenderedInput& input, render::Renderer& renderer);

}  // namespace gpulint
