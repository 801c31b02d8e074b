#include "compiler/project/rendered_inputs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/project/boundary.h"
#include "compiler/project/chart_installs.h"
#include "compiler/project/input_files.h"
#include "compiler/project/rendered_kustomizations.h"
#include "compiler/project/sources_by_path.h"
#include "compiler/render/find_charts.h"
#include "compiler/render/renderer.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;
using Kind = render::SourceText::Kind;

constexpr std::size_t most_files = 20'000;  // of one chart
constexpr const char* usual_kube_version = "1.34.0";

[[nodiscard]] std::string joined(const std::string& folder, std::string_view path) {
  return folder == "." ? std::string(path) : fmt::format("{}/{}", folder, path);
}

[[nodiscard]] bool is_helper(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with('_') || name.ends_with(".tpl");
}

[[nodiscard]] bool is_notes(std::string_view path) { return path.ends_with("NOTES.txt"); }

/// Values of subcharts are below those of their parents.
[[nodiscard]] auto layer_order(const RenderedInput::Source& source) {
  const auto depth = std::ranges::count(source.key, '/');
  return std::pair(source.kind != Kind::values, source.kind == Kind::values ? -depth : 0);
}

/// What to do if dependencies of a chart that does not render are not in its `charts/`.
[[nodiscard]] std::string advise_dependencies(const render::FoundChart& chart,
                                              const std::vector<std::string>& tree) {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(tree, [&](const std::string& path) {
      return path.starts_with("charts/" + name + "/") ||
             (path.starts_with("charts/" + name + "-") && path.ends_with(".tgz"));
    });
  };
  if (std::ranges::all_of(chart.dependencies, is_there)) return {};
  return "; its dependencies are not in charts/: run `helm dependency build`";
}

/// Renders one chart.
class ChartReader {
 public:
  ChartReader(const Request& request, const Config& config, const FileSystem& files,
              SourceSet& sources, SourcesByPath& by_path)
      : request_(request), config_(config), files_(files), sources_(sources), by_path_(by_path) {}

  [[nodiscard]] std::unique_ptr<RenderedInput> render(const render::FoundChart& found,
                                                      const ChartInstall& use) {
    auto chart = std::make_unique<RenderedInput>();
    chart->folder = found.folder;
    chart->name = found.name;
    chart->has_user_values = !use.layers.empty();
    chart->error = use.error;
    const auto tree = files_.tree(found.folder, most_files);
    if (!chart->error.empty()) return chart;
    if (!tree) {
      chart->error = "its folder cannot be listed, or has too many files";
    } else if (const std::string link = leaving_link(found.folder, *tree); !link.empty()) {
      chart->error = fmt::format("the link {} leads out of the chart", link);
    }
    if (!chart->error.empty()) return chart;
    add_sources(*tree, *chart);
    add_layers(use.layers, *chart);
    set_request(use, *chart);
    if (!chart->error.empty()) return chart;
    Result<render::Rendering> plain = request_.renderer->render(request_of(*chart));
    if (plain.ok()) {
      chart->plain = std::move(plain).value();
    } else {
      chart->error = plain.error().message + advise_dependencies(found, *tree);
    }
    add_outputs(found, *chart);
    return chart;
  }

 private:
  [[nodiscard]] static render::ChartRequest& request_of(RenderedInput& chart) {
    return std::get<render::ChartRequest>(chart.request);
  }

  /// A link to a file that is not in the chart; empty: there is none.
  [[nodiscard]] std::string leaving_link(const std::string& folder,
                                         const std::vector<std::string>& tree) const {
    const fs::path inside = resolve_links(files_, fs::path(files_.current_folder()) / folder);
    for (const std::string& path : tree) {
      const std::string whole = joined(folder, path);
      if (files_.status(whole).is_link && leaves(files_, whole, inside)) return whole;
    }
    return {};
  }

  /// Whether a path of a file in the tree leads out of the chart's repository and of the inputs.
  [[nodiscard]] bool is_outside(const std::string& path, const RenderedInput& chart) const {
    if (request_.allow_outside || by_path_.contains(path)) return false;
    return leaves(files_, path, repository_around(files_, chart.folder));
  }

  /// The name of a subchart's folder in names of templates: the chart's own name.
  [[nodiscard]] std::string name_of_subchart(const std::string& folder, std::string_view usual) {
    const auto [known, is_new] = subcharts_.try_emplace(folder, usual);
    const auto id = is_new ? by_path_.read(folder + "/Chart.yaml") : std::nullopt;
    if (!id) return known->second;
    const auto found = render::find_charts(sources_, {*id});
    if (!found.empty()) known->second = found.front().name;
    return known->second;
  }

  /// A template's name in a rendering.
  [[nodiscard]] std::string template_name(const RenderedInput& chart, std::string_view path) {
    constexpr std::string_view charts = "charts/";
    std::string name = chart.name + "/";
    std::string folder = chart.folder;
    while (path.starts_with(charts)) {
      const std::size_t slash = path.find('/', charts.size());
      if (slash == std::string_view::npos) break;
      const std::string_view sub = path.substr(charts.size(), slash - charts.size());
      folder = joined(folder, path.substr(0, slash));
      name += fmt::format("charts/{}/", name_of_subchart(folder, sub));
      path.remove_prefix(slash + 1);
    }
    return name + std::string(path);
  }

  void add_sources(std::vector<std::string> tree, RenderedInput& chart) {
    std::ranges::sort(tree);
    for (const std::string& path : tree) {
      const bool is_template = render::is_template_path(path) && !is_notes(path);
      if (!is_template && !render::is_values_path(path)) continue;
      const std::string whole = joined(chart.folder, path);
      if (files_.status(whole).kind != FileStatus::Kind::file) continue;
      const auto id = by_path_.read(whole);
      if (!id) continue;
      RenderedInput::Source& source = chart.sources.emplace_back();
      source.file = *id;
      source.key = path;
      if (!is_template) continue;
      source.kind = is_helper(path) ? Kind::helper : Kind::template_text;
      source.name = template_name(chart, path);
    }
    std::ranges::stable_sort(chart.sources, {}, layer_order);
  }

  void add_layers(const std::vector<ChartLayer>& layers, RenderedInput& chart) {
    for (const ChartLayer& layer : layers) {
      const std::string path = normal_path(layer.path);
      if (request_.values.empty() && is_outside(path, chart)) {
        chart.error = fmt::format("the values {} are outside of the repository (--allow-outside)",
                                  layer.path);
        return;
      }
      const auto id = by_path_.read(path);
      if (!id) {
        chart.error = fmt::format("the values {} cannot be read", layer.path);
        return;
      }
      RenderedInput::Source source;
      source.file = *id;
      std::vector<render::ValuesLayer>& texts = request_of(chart).values;
      source.layer = texts.size();
      const bool is_setting = !layer.setting.empty();
      source.is_editable = &layer == &layers.back() && !is_setting;
      if (is_setting) source.setting = layer.part;
      texts.push_back(
          {layer.path, is_setting ? layer.setting : text_of_part(sources_.file(*id), layer.part)});
      const auto templates = std::ranges::find_if(
          chart.sources, [](const auto& each) { return each.kind != Kind::values; });
      chart.sources.insert(templates, std::move(source));
    }
  }

  void set_request(const ChartInstall& use, RenderedInput& chart) const {
    const auto or_else = [](const std::string& text, const std::string& otherwise) {
      return text.empty() ? otherwise : text;
    };
    render::ChartRequest& to = request_of(chart);
    to.chart = absolute_folder(files_, chart.folder);
    to.release = or_else(request_.release, or_else(use.release, "release-name"));
    to.name_space = or_else(request_.chart_namespace, or_else(use.name_space, "default"));
    chart.name_space = to.name_space;
    to.kube_version = or_else(request_.kube_version,
                              or_else(config_.top.settings.kubernetes_version, usual_kube_version));
    if (&files_ == &disk()) return;
    for (const RenderedInput::Source& source : chart.sources) {
      if (!source.key.empty()) to.files[source.key] = sources_.file(source.file).text();
    }
  }

  /// The template of an output. A subchart with an alias has the alias in names.
  [[nodiscard]] const RenderedInput::Source* source_of(const RenderedInput& chart,
                                                       std::string_view name) const {
    const RenderedInput::Source* alike = nullptr;
    const std::size_t at = name.rfind("/templates/");
    for (const RenderedInput::Source& source : chart.sources) {
      if (source.kind != Kind::template_text) continue;
      if (source.name == name) return &source;
      const bool is_alike = at != std::string_view::npos && name.find("/charts/") != name.npos &&
                            source.name.ends_with(name.substr(at)) &&
                            source.name.find("/charts/") != std::string::npos;
      if (is_alike && alike != nullptr) return nullptr;
      if (is_alike) alike = &source;
    }
    return alike;
  }

  void add_outputs(const render::FoundChart& found, RenderedInput& chart) {
    for (const render::RenderedTemplate& output : chart.plain.templates) {
      const RenderedInput::Source* const source = source_of(chart, output.name);
      const std::string_view below =
          std::string_view(output.name)
              .substr(std::min(output.name.size(), output.name.find('/') + 1));
      const std::string path =
          source != nullptr ? sources_.file(source->file).path() : joined(chart.folder, below);
      chart.outputs.push_back(sources_.add(path, output.text, SourceFile::Encoding::rendered));
      chart.of_template.push_back(source != nullptr ? source->file : found.file);
    }
  }

  const Request& request_;
  const Config& config_;
  const FileSystem& files_;
  SourceSet& sources_;
  SourcesByPath& by_path_;
  std::map<std::string, std::string> subcharts_;  // their names by folder
};

/// The inputs of the rendered files of one chart.
void add_inputs(const RenderedInput& chart, std::size_t index, const InputFile& chart_file,
                const SourceSet& sources, std::vector<InputFile>& inputs) {
  const fs::path place = fs::path(chart_file.place).parent_path();
  for (const FileId output : chart.outputs) {
    InputFile input = chart_file;
    input.id = output;
    input.other_names.clear();
    input.was_found = true;
    input.rendered_by = index;
    if (!chart_file.place.empty()) {
      const std::string& path = sources.file(output).path();
      input.place = (place / render::path_below(path, chart.folder)).generic_string();
    }
    inputs.push_back(std::move(input));
  }
}

void drop_templates(const std::string& folder, const SourceSet& sources,
                    std::vector<InputFile>& inputs) {
  std::erase_if(inputs, [&](const InputFile& input) {
    const std::string& path = sources.file(input.id).path();
    return !input.rendered_by && render::is_template_path(render::path_below(path, folder));
  });
}

/// How a chart is rendered: with the values of the request, else as it is used, else with its own.
[[nodiscard]] std::vector<ChartInstall> uses_of(std::size_t chart, const Request& request,
                                                const std::vector<ChartInstall>& uses) {
  ChartInstall alone;
  for (const std::string& path : request.values) alone.layers.push_back({path, {}});
  std::vector<ChartInstall> some;
  std::ranges::copy_if(uses, std::back_inserter(some),
                       [&](const ChartInstall& use) { return use.chart == chart; });
  return some.empty() || !request.values.empty() ? std::vector{alone} : some;
}

}  // namespace

RenderedInputs render_inputs(const Request& request, const Config& config, const FileSystem& files,
                             std::vector<InputFile>& inputs, SourceSet& sources) {
  RenderedInputs result;
  SourcesByPath by_path(request, files, inputs, sources);
  std::vector<FileId> all;
  std::vector<FileId> checked;
  for (const InputFile& input : inputs) {
    all.push_back(input.id);
    if (input.is_checked) checked.push_back(input.id);
  }
  std::vector<render::FoundChart> charts = render::find_charts(sources, checked);
  std::erase_if(charts, &render::FoundChart::is_library);
  if (!request.values.empty() && charts.size() > 1) {
    result.errors.push_back(
        fmt::format("--values: the inputs have {} charts; name the folder of one", charts.size()));
    return result;
  }
  ChartReader reader(request, config, files, sources, by_path);
  const std::vector<ChartInstall> uses = find_chart_installs(config, files, sources, all, charts);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const render::FoundChart& found = charts[i];
    const InputFile file = *std::ranges::find(inputs, found.file, &InputFile::id);
    drop_templates(found.folder, sources, inputs);
    for (const ChartInstall& use : uses_of(i, request, uses)) {
      auto chart = reader.render(found, use);
      add_inputs(*chart, result.all.size(), file, sources, inputs);
      result.all.push_back(std::move(chart));
    }
  }
  for (RenderedBuild& build : render_kustomizations(request, files, inputs, sources, by_path)) {
    for (const FileId output : build.rendered->outputs) {
      inputs.push_back(build.file);
      inputs.back().id = output;
      inputs.back().rendered_by = result.all.size();
    }
    result.all.push_back(std::move(build.rendered));
  }
  for (std::size_t i = 0; i < result.all.size(); ++i) {
    for (const FileId output : result.all[i]->outputs) result.by_file.emplace(output, i);
  }
  return result;
}

std::vector<render::SourceText> texts_of(const RenderedInput& input, const SourceSet& sources) {
  std::vector<render::SourceText> texts;
  for (const RenderedInput::Source& source : input.sources) {
    const bool is_layer = source.key.empty();
    texts.push_back({source.kind, source.name,
                     is_layer
                         ? std::get<render::ChartRequest>(input.request).values[source.layer].text
                         : sources.file(source.file).text()});
  }
  return texts;
}

render::Render render_again(const RenderedInput& input, render::Renderer& renderer) {
  using Outputs = std::optional<std::vector<render::RenderedTemplate>>;
  return [&](const render::Changed& changed) -> Outputs {
    auto request = input.request;
    auto* const chart = std::get_if<render::ChartRequest>(&request);
    if (chart != nullptr && !changed.empty()) chart->schema = render::SchemaCheck::off;
    for (const auto& [index, text] : changed) {
      const RenderedInput::Source& source = input.sources[index];
      if (source.key.empty()) {
        chart->values[source.layer].text = text;
      } else {
        std::visit([&](auto& to) { to.files[source.key] = text; }, request);
      }
    }
    Result<render::Rendering> rendering =
        chart != nullptr ? renderer.render(*chart)
                         : renderer.build(std::get<render::BuildRequest>(request));
    if (!rendering.ok()) return std::nullopt;
    return std::move(rendering).value().templates;
  };
}

}  // namespace gpulint
