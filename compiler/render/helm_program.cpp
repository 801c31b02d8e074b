#include "compiler/render/helm_program.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace gpulint::render {
namespace {

namespace fs = std::filesystem;

constexpr Limits program_limits{.cpu_seconds = 20};

[[nodiscard]] bool write_text(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  return static_cast<bool>(file.flush());
}

/// Copies a folder with the replaced files. Links stay links: the caller refuses those that leave.
[[nodiscard]] bool copy_with(const fs::path& from, const fs::path& to,
                             const std::map<fs::path, const std::string*>& replaced) {
  std::error_code error;
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error) return false;
  for (const auto& [path, text] : replaced) {
    fs::remove(to / path, error);
    if (!write_text(to / path, *text)) return false;
  }
  return true;
}

/// The documents of `helm template`, by the template that each `# Source:` names.
[[nodiscard]] std::vector<RenderedTemplate> split_by_source(std::string_view text) {
  constexpr std::string_view mark = "# Source: ";
  std::map<std::string, std::string> by_name;
  std::string* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line == "---\n" && text.starts_with(mark)) {
      current = nullptr;
    } else if (current == nullptr && line.starts_with(mark)) {
      std::string_view name = line.substr(mark.size());
      while (name.ends_with('\n') || name.ends_with('\r')) name.remove_suffix(1);
      current = &by_name[std::string(name)];
      if (!current->empty()) *current += "---\n";
    } else if (current != nullptr) {
      *current += line;
    }
  }
  std::vector<RenderedTemplate> templates;
  for (auto& [name, rendered] : by_name) templates.push_back({name, std::move(rendered)});
  return templates;
}

[[nodiscard]] Result<std::string> run(const std::vector<std::string>& words,
                                      const std::string& home) {
  ConfinedProcess process(words, home, program_limits);
  if (!process.is_started()) return Error{fmt::format("cannot run {}", words.front())};
  int status = 0;
  Result<std::string> text = process.read_all(status);
  if (!text.ok() || status == 0) return text;
  const std::string why = process.last_words();
  if (!why.empty()) return Error{why};
  return Error{fmt::format("{} ended with status {}", words.front(), status)};
}

}  // namespace

Result<Rendering> HelmProgram::render(const ChartRequest& request) const {
  if (helm_.empty()) return Error{"helm is not installed"};
  const TemporaryFolder home;
  if (home.path().empty()) return Error{"there is no temporary folder"};
  std::string chart = request.chart;
  if (!request.files.empty()) {
    chart = home.path() + "/chart";
    std::map<fs::path, const std::string*> replaced;
    for (const auto& [path, text] : request.files) replaced.emplace(path, &text);
    if (!copy_with(request.chart, chart, replaced)) return Error{"the chart cannot be copied"};
  }
  std::vector<std::string> words = {
      helm_,         "template",         request.release,  chart,
      "--namespace", request.name_space, "--kube-version", request.kube_version};
  if (request.schema == SchemaCheck::off) words.emplace_back("--skip-schema-validation");
  for (std::size_t i = 0; i < request.values.size(); ++i) {
    const std::string file = fmt::format("{}/layer{}.yaml", home.path(), i);
    if (!write_text(file, request.values[i].text)) return Error{"the values cannot be copied"};
    words.insert(words.end(), {"--values", file});
  }
  Result<std::string> text = run(words, home.path());
  if (!text.ok()) return text.error();
  return Rendering{split_by_source(text.value()), {}};
}

Result<Rendering> HelmProgram::build(const BuildRequest& request) const {
  if (kustomize_.empty()) return Error{"kustomize is not installed"};
  const TemporaryFolder home;
  if (home.path().empty()) return Error{"there is no temporary folder"};
  fs::path folder = request.kustomization;
  if (!request.files.empty()) {
    const fs::path copy = home.path() + "/tree";
    std::map<fs::path, const std::string*> replaced;
    for (const auto& [path, text] : request.files) {
      replaced.emplace(fs::path(path).lexically_relative(request.root), &text);
    }
    if (!copy_with(request.root, copy, replaced)) return Error{"the files cannot be copied"};
    folder = copy / folder.lexically_relative(request.root);
  }
  Result<std::string> text = run({kustomize_, "build", folder.string()}, home.path());
  if (!text.ok()) return text.error();
  return Rendering{{{"", std::move(text).value()}}, {}};
}

}  // namespace gpulint::render
