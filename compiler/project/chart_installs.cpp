#include "compiler/project/chart_installs.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/ir/yaml_string.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/project/input_files.h"
#include "compiler/project/path_words.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// A file that may have releases or their values.
struct ParsedFile {
  const SourceFile* file = nullptr;
  std::vector<std::unique_ptr<Document>> documents;
};

[[nodiscard]] bool may_have_releases(std::string_view text) {
  constexpr std::string_view words[] = {"HelmRelease", "HelmChart", "argoproj.io/",
                                        "helmCharts:", "releases:"};
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

[[nodiscard]] std::string path_from(const std::string& folder, std::string_view path) {
  return normal_path(folder.empty() ? std::string(path) : fmt::format("{}/{}", folder, path));
}

/// The YAML of a mapping or of a literal text; nullopt if it is written in another way.
[[nodiscard]] std::optional<Span> part_of(const SourceFile& file, Node values) {
  if (!values.is_scalar()) return values.span();
  if (values.style() != Style::literal) return std::nullopt;
  Span span = values.span();
  const std::size_t line_end = file.text(span).find('\n');
  if (line_end == std::string_view::npos) return std::nullopt;
  span.begin += static_cast<std::uint32_t>(line_end) + 1;
  return span;
}

/// The first of some texts that is not empty.
[[nodiscard]] std::string first_text(std::initializer_list<Node> nodes) {
  for (const Node node : nodes) {
    if (node.is_scalar() && !node.text().empty() && !node.is_opaque()) {
      return std::string(node.text());
    }
  }
  return {};
}

/// `a.b=1` as `{"a": {"b": 1}}`; empty for lists, and for what is not written in one place.
[[nodiscard]] std::string setting_as_yaml(const ReleaseLayer& setting) {
  constexpr std::string_view lists = "[]{},=";
  const std::string_view value = setting.value;
  const bool is_open = setting.reading == ReleaseLayer::Reading::open || setting.key.empty() ||
                       setting.key.find_first_of(lists) != std::string::npos ||
                       value.find_first_of("{},\\") != std::string_view::npos;
  if (is_open) return {};
  std::vector<std::string> keys(1);
  for (std::size_t i = 0; i < setting.key.size(); ++i) {
    const char c = setting.key[i];
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c == '\\' && i + 1 < setting.key.size() ? setting.key[++i] : c;
    }
  }
  const bool is_word = value == "true" || value == "false" || value == "null";
  const bool is_number = value == "0" || (!value.empty() && value.front() != '0' &&
                                          value.find_first_not_of("0123456789") == value.npos);
  const bool is_typed = setting.reading == ReleaseLayer::Reading::typed && (is_word || is_number);
  std::string yaml = is_typed ? std::string(value) : double_quoted(value);
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    yaml = fmt::format("{{{}: {}}}", double_quoted(*key), yaml);
  }
  return yaml;
}

/// Finds the charts and the values of releases.
class UseFinder {
 public:
  UseFinder(const FileSystem& files, const SourceSet& sources, const std::vector<FileId>& inputs,
            const std::vector<render::FoundChart>& charts)
      : files_(files), sources_(sources), inputs_(inputs), charts_(charts) {}

  void add_of_config(const Config& config) {
    for (const ConfigRender& entry : config.renders) {
      const std::string folder = config.folder == "." ? "" : config.folder;
      const auto chart = chart_in(path_from(folder, entry.chart));
      if (!chart) continue;
      ChartInstall& use = uses.emplace_back();
      use.chart = *chart;
      use.release = entry.release;
      use.name_space = entry.name_space;
      for (const std::string& path : entry.values)
        use.layers.push_back({path_from(folder, path), {}});
    }
  }

  void add_of_inputs() {
    for (const FileId id : inputs_) {
      const SourceFile& file = sources_.file(id);
      if (!may_have_releases(file.text())) continue;
      for (const auto& document : parse_file(file)) {
        if (document->host != nullptr || !document->errors.empty()) continue;
        for (const Node release : find_releases(root(*document))) add_release(file, release);
      }
    }
  }

  std::vector<ChartInstall> uses;

 private:
  [[nodiscard]] std::optional<std::size_t> chart_in(const std::string& folder) const {
    const auto same = [&](const render::FoundChart& chart) {
      return is_same_file(files_, chart.folder, folder.empty() ? "." : folder);
    };
    const auto found = std::ranges::find_if(charts_, same);
    if (found == charts_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - charts_.begin());
  }

  /// The only chart whose folder ends with a path from a repository's root.
  [[nodiscard]] std::optional<std::size_t> chart_at_end(const std::string& path) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < charts_.size(); ++i) {
      if (path.empty() || !absolute_folder(files_, charts_[i].folder).ends_with("/" + path))
        continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }

  /// `path`: as the release names its chart, from the root of the repository.
  [[nodiscard]] std::string root_of(const render::FoundChart& chart, std::string_view path) const {
    const std::string whole = absolute_folder(files_, chart.folder);
    const std::string root = whole.substr(0, whole.size() - std::min(whole.size(), path.size()));
    const std::string here = files_.current_folder() + "/";
    if (root == here) return {};
    return root.starts_with(here) ? root.substr(here.size()) : root;
  }

  void add_release(const SourceFile& file, Node release) {
    const Node chart = chart_of_release(release);
    if (!chart.is_scalar() || chart.is_opaque()) return;
    const std::string folder = folder_of(file.path());
    std::string path = normal_path(std::string(chart.text()));
    const std::string list(release.parent().is_sequence() ? release.parent().key().text() : "");
    const bool is_kustomize = list == "helmCharts";
    const bool is_local = is_kustomize || list == "releases";
    if (is_kustomize) path = chart_home(release) + "/" + path;
    const auto found = is_local ? chart_in(path_from(folder, path)) : chart_at_end(path);
    if (!found) return;
    ChartInstall& use = uses.emplace_back();
    use.chart = *found;
    set_names(release, use);
    const std::string base = is_local ? folder : root_of(charts_[*found], path);
    for (const ReleaseLayer& layer : release_layers(release)) {
      add_layer(file, base, layer, use);
    }
  }

  [[nodiscard]] static std::string chart_home(Node release) {
    const Node globals = root(*release.document()).get("helmGlobals");
    const std::string home = first_text({globals.get("chartHome")});
    return home.empty() ? "charts" : home;
  }

  static void set_names(Node release, ChartInstall& use) {
    Node object = release;
    while (object && !(object.get("kind") && object.get("metadata"))) object = object.parent();
    use.release = first_text({release.get("releaseName"), release.at("helm", "releaseName"),
                              object ? object.at("metadata", "name") : release.get("name")});
    const Field<std::string> stated = chart_namespace(release);
    use.name_space = stated.is_known() ? stated.value() : first_text({release.get("namespace")});
  }

  void add_layer(const SourceFile& file, const std::string& base, const ReleaseLayer& layer,
                 ChartInstall& use) {
    using Kind = ReleaseLayer::Kind;
    if (layer.kind == Kind::file) {
      use.layers.push_back({path_from(base, layer.name), {}});
      return;
    }
    const auto part = layer.kind == Kind::written   ? written_part(file, layer.node)
                      : layer.kind == Kind::object  ? part_of_object(layer)
                      : layer.kind == Kind::setting ? setting_of(file, layer)
                                                    : std::nullopt;
    if (part) {
      use.layers.push_back(*part);
    } else if (use.error.empty()) {
      const std::size_t line = file.position(layer.node.span().begin).line;
      use.error = fmt::format("{}:{} has values that gpulint does not read", file.path(), line);
    }
  }

  [[nodiscard]] static std::optional<ChartLayer> written_part(const SourceFile& file, Node values) {
    const auto part = part_of(file, values);
    if (!part) return std::nullopt;
    return ChartLayer{file.path(), *part};
  }

  [[nodiscard]] static std::optional<ChartLayer> setting_of(const SourceFile& file,
                                                            const ReleaseLayer& layer) {
    std::string yaml = setting_as_yaml(layer);
    if (yaml.empty() || !layer.value_node) return std::nullopt;
    return ChartLayer{file.path(), layer.value_node.span(), std::move(yaml)};
  }

  /// The values in a ConfigMap or Secret among the inputs.
  [[nodiscard]] std::optional<ChartLayer> part_of_object(const ReleaseLayer& layer) const {
    for (const FileId id : inputs_) {
      const SourceFile& file = sources_.file(id);
      if (file.text().find(layer.name) == std::string_view::npos) continue;
      for (const auto& document : parse_file(file)) {
        const Node object = root(*document);
        const bool is_meant = document->host == nullptr &&
                              object.get("kind").text() == layer.of_kind &&
                              object.at("metadata", "name").text() == layer.name;
        if (!is_meant) continue;
        const Node text = object.at("data", layer.key);
        const bool is_plain = text && layer.of_kind == "ConfigMap";
        return written_part(file, is_plain ? text : object.at("stringData", layer.key));
      }
    }
    return std::nullopt;
  }

  const FileSystem& files_;
  const SourceSet& sources_;
  const std::vector<FileId>& inputs_;
  const std::vector<render::FoundChart>& charts_;
};

}  // namespace

std::vector<ChartInstall> find_chart_installs(const Config& config, const FileSystem& files,
                                              const SourceSet& sources,
                                              const std::vector<FileId>& inputs,
                                              const std::vector<render::FoundChart>& charts) {
  UseFinder finder(files, sources, inputs, charts);
  finder.add_of_config(config);
  finder.add_of_inputs();
  return std::move(finder.uses);
}

std::string absolute_folder(const FileSystem& files, const std::string& folder) {
  std::string path = (fs::path(files.current_folder()) / folder).lexically_normal().string();
  while (path.size() > 1 && (path.ends_with('/') || path.ends_with("/."))) path.pop_back();
  return path;
}

std::string text_of_part(const SourceFile& file, Span part) {
  std::string text(file.text());
  if (part.empty()) return text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_outside = i < part.begin || i >= part.end;
    if (is_outside && text[i] != '\n') text[i] = ' ';
  }
  return text;
}

}  // namespace gpulint
