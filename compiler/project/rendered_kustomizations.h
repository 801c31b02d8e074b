#pragma once

#include <memory>
#include <vector>

#include "compiler/project/file_system.h"
#include "compiler/project/input_file.h"
#include "compiler/project/rendered_input.h"
#include "compiler/project/request.h"
#include "compiler/project/sources_by_path.h"

namespace gpulint {

/// A kustomization that kustomize built.
struct RenderedBuild {
  InputFile file;
  std::unique_ptr<RenderedInput> rendered;
};

/// Builds the topmost kustomizations that concern GPUs and that gpulint itself cannot build as a
/// whole. `request.renderer` must not be null.
[[nodiscard]] std::vector<RenderedBuild> render_kustomizations(const Request& request,
                                                               const FileSystem& files,
                                                               const std::vector<InputFile>& inputs,
                                                               SourceSet& sources,
                                                               SourcesByPath& by_path);

}  // namespace gpulint
