#include "compiler/project/rendered_kustomizations.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/project/boundary.h"
#include "compiler/project/definitions.h"
#include "compiler/project/input_files.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/render/renderer.h"
#include "frontend/relevance.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_named_files = 20'000;  // of one kustomization

[[nodiscard]] bool is_yaml_path(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") ||
         kustomize::is_kustomization_name(path);
}

[[nodiscard]] fs::path common_folder(const fs::path& one, const fs::path& other) {
  fs::path common;
  auto at = one.begin();
  for (const fs::path& part : other) {
    if (at == one.end() || *at != part) break;
    common /= part;
    ++at;
  }
  return common;
}

/// Finds the files that a kustomization names, directly or through others.
class BuildReader {
 public:
  BuildReader(const Request& request, const FileSystem& files, const SourceSet& sources,
              SourcesByPath& by_path)
      : request_(request), files_(files), sources_(sources), by_path_(by_path) {}

  /// `file`: the kustomization.
  [[nodiscard]] std::unique_ptr<RenderedInput> read(FileId file) {
    const std::string& path = sources_.file(file).path();
    const std::string folder = fs::path(path).parent_path().string();
    auto input = std::make_unique<RenderedInput>();
    input->folder = folder.empty() ? "." : folder;
    input->has_user_values = true;
    input->name_space = "default";
    boundary_ = repository_around(files_, input->folder);
    root_ = resolve_links(files_, input->folder);
    add_folder(input->folder);
    render::BuildRequest request{resolve_links(files_, input->folder).string(), root_.string(), {}};
    for (const auto& [source, id] : found_) {
      const std::string_view text = sources_.file(id).text();
      const std::string whole = resolve_links(files_, source).string();
      if (&files_ != &disk()) request.files[whole] = text;
      if (!is_yaml_path(source) || is_definition(text)) continue;
      RenderedInput::Source& each = input->sources.emplace_back();
      each.file = id;
      each.name = source;
      each.key = whole;
      if (kustomize::is_kustomization_name(source)) {
        each.kind = render::SourceText::Kind::kustomization;
      }
      each.is_editable = true;
    }
    input->request = std::move(request);
    return input;
  }

 private:
  void add_folder(const std::string& folder) {
    for (const std::string_view name : kustomize::file_names) {
      const std::string path = normal_path(fmt::format("{}/{}", folder, name));
      if (files_.status(path).kind != FileStatus::Kind::file) continue;
      const auto id = add_file(path);
      if (id) follow(*id, folder);
      return;
    }
  }

  /// The file, if it was not known.
  std::optional<FileId> add_file(const std::string& path) {
    if (found_.size() == most_named_files || found_.contains(path)) return std::nullopt;
    if (!request_.allow_outside && leaves(files_, path, boundary_)) return std::nullopt;
    const auto id = by_path_.read(path);
    if (!id) return std::nullopt;
    found_.emplace(path, *id);
    root_ = common_folder(root_, resolve_links(files_, path).parent_path());
    return id;
  }

  /// Adds each file and folder that a scalar names; `key=path` names a file, too.
  void follow(FileId kustomization, const std::string& folder) {
    for (const auto& document : parse_file(sources_.file(kustomization))) {
      walk(root(*document), [&](Node node) {
        const std::string_view text = node.text();
        const bool is_path = node.is_scalar() && !text.empty() && !text.starts_with('/') &&
                             text.find('\n') == std::string_view::npos;
        if (!is_path) return;
        const std::string path =
            normal_path(fmt::format("{}/{}", folder, text.substr(text.find('=') + 1)));
        const FileStatus::Kind kind = files_.status(path).kind;
        if (kind == FileStatus::Kind::file) add_file(path);
        if (kind == FileStatus::Kind::folder) add_folder(path);
      });
    }
  }

  const Request& request_;
  const FileSystem& files_;
  const SourceSet& sources_;
  SourcesByPath& by_path_;
  fs::path boundary_;
  fs::path root_;                        // the folder with all files
  std::map<std::string, FileId> found_;  // by path
};

}  // namespace

std::vector<RenderedBuild> render_kustomizations(const Request& request, const FileSystem& files,
                                                 const std::vector<InputFile>& inputs,
                                                 SourceSet& sources, SourcesByPath& by_path) {
  std::vector<RenderedBuild> builds;
  const KustomizeFiles kustomizations(sources, inputs);
  const bool are_all_read = request.purpose == Purpose::place || request.all_objects;
  for (const FileId file : kustomizations.topmost()) {
    if (!kustomizations.needs_kustomize(file)) continue;
    const auto concerns_gpus = [&](FileId each) {
      return may_concern_gpus(sources.file(each).text());
    };
    if (!are_all_read && std::ranges::none_of(kustomizations.joined({file}), concerns_gpus)) {
      continue;
    }
    RenderedBuild& build = builds.emplace_back();
    build.file = *std::ranges::find(inputs, file, &InputFile::id);
    build.rendered = BuildReader(request, files, sources, by_path).read(file);
    Result<render::Rendering> plain =
        request.renderer->build(std::get<render::BuildRequest>(build.rendered->request));
    if (!plain.ok()) {
      build.rendered->error = plain.error().message;
      continue;
    }
    build.rendered->plain = std::move(plain).value();
    for (const render::RenderedTemplate& output : build.rendered->plain.templates) {
      build.rendered->outputs.push_back(
          sources.add(sources.file(file).path(), output.text, SourceFile::Encoding::rendered));
      build.rendered->of_template.push_back(file);
    }
  }
  return builds;
}

}  // namespace gpulint
