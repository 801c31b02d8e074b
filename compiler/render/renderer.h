#pragma once

// render: charts and kustomizations → the text that Helm and kustomize make of them, and the line
// of the values or of the template that decides a place in that text. It runs one program, cut off
// from the machine (confined_process.h). It knows no rule and no kind of object.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/base/result.h"
#include "compiler/render/rendering.h"

namespace gpulint::render {

enum class Program : std::uint8_t {
  any,   ///< gpulint-render, else helm and kustomize.
  own,   ///< gpulint-render.
  helm,  ///< helm and kustomize.
};

class OwnProgram;
class HelmProgram;

/// Renders with one program. Its functions may be called from several threads; they wait for one
/// another.
class Renderer {
 public:
  /// Finds the program, next to gpulint or in PATH. An Error, which says what to install, if there
  /// is none. Nothing is started before the first request.
  [[nodiscard]] static Result<std::unique_ptr<Renderer>> find(Program program);
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  ~Renderer();

  /// An Error with one line if the chart does not render within the limits.
  [[nodiscard]] Result<Rendering> render(const ChartRequest& request);
  [[nodiscard]] Result<Rendering> build(const BuildRequest& request);
  /// Requests so far.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  Renderer();

  std::mutex one_at_a_time_;
  std::unique_ptr<OwnProgram> own_;  // null: helm_ renders
  std::unique_ptr<HelmProgram> helm_;
  std::size_t count_ = 0;
};

}  // namespace gpulint::render
