#include "compiler/render/find_charts.h"

#include <algorithm>

#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"

namespace gpulint::render {
namespace {

constexpr std::string_view chart_file = "Chart.yaml";

[[nodiscard]] bool is_chart_file(std::string_view path) {
  return path == chart_file || path.ends_with("/Chart.yaml");
}

[[nodiscard]] std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "." : path.substr(0, slash));
}

[[nodiscard]] FoundChart read_chart(const SourceFile& file) {
  FoundChart chart;
  chart.folder = folder_of(file.path());
  chart.file = file.id();
  chart.name_span = {file.id(), 0, 0};
  for (const auto& document : parse_file(file)) {
    const Node top = root(*document);
    const Node name = top.get("name");
    if (!name.is_scalar()) continue;
    chart.name = name.text();
    chart.name_span = name.span();
    for (const Node dependency : top.get("dependencies").items()) {
      chart.dependencies.emplace_back(dependency.get("name").text());
    }
    chart.is_library = top.get("type").text() == "library";
    break;
  }
  return chart;
}

/// Whether `folder` is a subchart of `other`.
[[nodiscard]] bool is_subchart(std::string_view folder, std::string_view other) {
  return path_below(folder, other).starts_with("charts/");
}

/// The path behind `charts/NAME/` as often as it begins with that.
[[nodiscard]] std::string_view without_subcharts(std::string_view path) {
  constexpr std::string_view charts = "charts/";
  while (path.starts_with(charts)) {
    const std::size_t slash = path.find('/', charts.size());
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return path;
}

}  // namespace

std::vector<FoundChart> find_charts(const SourceSet& sources, const std::vector<FileId>& files) {
  std::vector<FoundChart> charts;
  for (const FileId id : files) {
    if (is_chart_file(sources.file(id).path())) charts.push_back(read_chart(sources.file(id)));
  }
  std::erase_if(charts, [](const FoundChart& chart) { return chart.name.empty(); });
  std::vector<std::string> folders;
  for (const FoundChart& chart : charts) folders.push_back(chart.folder);
  std::erase_if(charts, [&](const FoundChart& chart) {
    return std::ranges::any_of(
        folders, [&](const std::string& other) { return is_subchart(chart.folder, other); });
  });
  std::ranges::sort(charts, {}, &FoundChart::folder);
  return charts;
}

std::string_view path_below(std::string_view path, std::string_view folder) {
  if (folder == ".") return path.starts_with('/') ? std::string_view() : path;
  if (path.size() <= folder.size() || !path.starts_with(folder)) return {};
  if (folder.ends_with('/')) return path.substr(folder.size());
  return path[folder.size()] == '/' ? path.substr(folder.size() + 1) : std::string_view();
}

bool is_template_path(std::string_view path) {
  return without_subcharts(path).starts_with("templates/");
}

bool is_values_path(std::string_view path) { return without_subcharts(path) == "values.yaml"; }

}  // namespace gpulint::render
