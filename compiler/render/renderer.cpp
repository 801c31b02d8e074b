#include "compiler/render/renderer.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "compiler/base/text.h"
#include "compiler/render/helm_program.h"
#include "compiler/render/own_program.h"

namespace gpulint::render {
namespace {

namespace fs = std::filesystem;

constexpr const char* own_name = "gpulint-render";

[[nodiscard]] bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The program's absolute path; empty if PATH does not have it. Relative folders of PATH do not
/// count: they would be folders of the checked tree.
[[nodiscard]] std::string find_in_path(std::string_view name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no code sets variables
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return {};
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/')) continue;
    const fs::path found = fs::path(folder) / name;
    if (is_program(found)) return found.string();
  }
  return {};
}

/// gpulint-render next to the running program, else in PATH.
[[nodiscard]] std::string find_own() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside = self.parent_path() / own_name;
  if (!error && is_program(beside)) return beside.string();
  return find_in_path(own_name);
}

}  // namespace

Renderer::Renderer() = default;
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::find(Program program) {
  std::unique_ptr<Renderer> renderer(new Renderer);
  if (program != Program::helm) {
    const std::string own = find_own();
    if (!own.empty()) {
      renderer->own_ = std::make_unique<OwnProgram>(own);
      return renderer;
    }
    if (program == Program::own) {
      return Error{
          "--render=own: gpulint-render is not installed: `pip install gpulint-render`, "
          "or put it next to gpulint"};
    }
  }
  std::string helm = find_in_path("helm");
  std::string kustomize = find_in_path("kustomize");
  if (helm.empty() && kustomize.empty()) {
    return Error{program == Program::helm
                     ? "--render=helm: neither helm nor kustomize is in PATH"
                     : "--render: nothing renders charts: `pip install gpulint-render`, or install "
                       "helm (and kustomize)"};
  }
  renderer->helm_ = std::make_unique<HelmProgram>(std::move(helm), std::move(kustomize));
  return renderer;
}

Result<Rendering> Renderer::render(const ChartRequest& request) {
  const std::lock_guard lock(one_at_a_time_);
  ++count_;
  return own_ ? own_->render(request) : helm_->render(request);
}

Result<Rendering> Renderer::build(const BuildRequest& request) {
  const std::lock_guard lock(one_at_a_time_);
  ++count_;
  return own_ ? own_->build(request) : helm_->build(request);
}

}  // namespace gpulint::render
