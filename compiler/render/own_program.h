#pragma once

#include <memory>
#include <string>

#include "compiler/render/confined_process.h"
#include "compiler/render/rendering.h"

namespace gpulint::render {

/// gpulint-render: Helm's engine and kustomize in one process, which answers one JSON object in a
/// line with another. It is started at the first request, and again after it ended.
class OwnProgram {
 public:
  /// `path`: absolute.
  explicit OwnProgram(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] Result<Rendering> render(const ChartRequest& request);
  [[nodiscard]] Result<Rendering> build(const BuildRequest& request);

 private:
  [[nodiscard]] Result<Rendering> ask(const std::string& line, int id);
  [[nodiscard]] bool start();

  std::string path_;
  TemporaryFolder home_;
  std::unique_ptr<ConfinedProcess> process_;
  int last_id_ = 0;
};

}  // namespace gpulint::render
