#pragma once

#include <string>
#include <utility>

#include "compiler/render/confined_process.h"
#include "compiler/render/rendering.h"

namespace gpulint::render {

/// `helm template` and `kustomize build`, one process for each request. Replaced files of a chart
/// are in a copy of it.
class HelmProgram {
 public:
  /// Absolute paths; an empty one: the program is not installed.
  HelmProgram(std::string helm, std::string kustomize)
      : helm_(std::move(helm)), kustomize_(std::move(kustomize)) {}

  [[nodiscard]] Result<Rendering> render(const ChartRequest& request) const;
  [[nodiscard]] Result<Rendering> build(const BuildRequest& request) const;

 private:
  std::string helm_;
  std::string kustomize_;
};

}  // namespace gpulint::render
