#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/kustomize/kustomization.h"
#include "rules/misspelt-reference/find_references.h"
#include "rules/support/typos.h"

namespace gpulint::rules::misspelt_reference {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string normal(const fs::path& path) {
  std::string text = path.lexically_normal().generic_string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text == "." ? std::string() : text;
}

/// The names of files and folders in a folder.
[[nodiscard]] std::vector<std::string_view> children(const SourceSet::Paths& paths,
                                                     const std::string& folder) {
  std::vector<std::string_view> names;
  const std::string begin = folder.empty() ? "" : folder + "/";
  for (auto at = paths.lower_bound(begin); at != paths.end() && at->starts_with(begin); ++at) {
    const std::string_view name = std::string_view(*at).substr(begin.size());
    if (!name.empty() && name.find('/') == std::string_view::npos) names.push_back(name);
  }
  return names;
}

/// Existing paths, relative to `folder`, that differ from `text` by a misspelt part.
[[nodiscard]] std::vector<std::string> corrected(const SourceSet::Paths& paths,
                                                 const std::string& folder, std::string_view text) {
  std::vector<std::string> found;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('/', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::string before = normal(fs::path(folder) / text.substr(0, begin));
    if (part.empty() || part == "." || part == "..") continue;
    if (paths.contains(normal(fs::path(before) / part))) continue;
    for (const std::string_view name : children(paths, before)) {
      std::string whole(text);
      whole.replace(begin, part.size(), name);
      const bool is_there = paths.contains(normal(fs::path(folder) / whole));
      if (is_slip_of(part, name) && is_there) found.push_back(std::move(whole));
    }
    return found;
  }
  return found;
}

[[nodiscard]] bool is_plain(Node path) {
  constexpr std::string_view marks = ":?{}$\n";
  return path.is_scalar() && !path.is_opaque() && !path.text().empty() &&
         path.text().find_first_of(marks) == std::string_view::npos;
}

class PathFinder {
 public:
  explicit PathFinder(const Corpus& corpus) : corpus_(corpus) {}

  [[nodiscard]] std::vector<Reference> find() {
    for (const Document* document : corpus_.written) {
      if (!document->errors.empty()) continue;
      const Node top = root(*document);
      const std::string& path = corpus_.sources->file(document->file).path();
      if (kustomize::is_kustomization(top, path)) add_kustomization(top, path);
      if (top.get("apiVersion").text().starts_with("kustomize.toolkit.fluxcd.io/")) {
        add_from_root(top.at("spec", "path"), path, "Flux applies nothing from a missing path");
      }
      for (const Node release : find_releases(top)) add_release(release, path);
    }
    return std::move(references_);
  }

 private:
  void add(Node at, const std::vector<std::string>& targets, std::string_view kind,
           std::string_view effect, Certainty certainty = Certainty::none) {
    Names names;
    for (const std::string& target : targets) names.push_back({target, {}});
    const auto name =
        Field<std::string>::known(std::string(at.text()), at);  // `$` is not a template
    add_reference(references_, name, kind, names, effect, certainty);
  }

  void add_path(Node at, const std::string& folder, std::string_view effect) {
    if (!is_plain(at) || at.text().starts_with('/')) return;
    const SourceSet::Paths& paths = corpus_.sources->paths();
    if (paths.contains(normal(fs::path(folder) / at.text()))) return;
    add(at, corrected(paths, folder, at.text()), "file", effect);
  }

  /// A path from the root of the repository, which is a parent folder of the file.
  void add_from_root(Node at, const std::string& file, std::string_view effect) {
    if (!is_plain(at)) return;
    const SourceSet::Paths& paths = corpus_.sources->paths();
    std::vector<std::string> targets;
    fs::path folder = fs::path(file);
    do {
      folder = folder.parent_path();
      if (paths.contains(normal(folder / at.text()))) return;
      std::ranges::move(corrected(paths, folder.generic_string(), at.text()),
                        std::back_inserter(targets));
    } while (folder.has_relative_path());
    add(at, targets, "folder", effect);
  }

  void add_kustomization(Node top, const std::string& path) {
    constexpr std::string_view effect = "kustomize builds nothing if a file is missing";
    const std::string folder = fs::path(path).parent_path().generic_string();
    for (const std::string_view list :
         {"resources", "bases", "components", "patchesStrategicMerge", "patches"}) {
      for (const Node item : top.get(list).items()) add_path(item, folder, effect);
    }
    for (const std::string_view list : {"patches", "patchesJson6902"}) {
      for (const Node item : top.get(list).items()) add_path(item.get("path"), folder, effect);
    }
  }

  void add_release(Node release, const std::string& path) {
    constexpr std::string_view effect = "the release is not installed if a values file is missing";
    const std::string folder = fs::path(path).parent_path().generic_string();
    for (const ReleaseLayer& layer : release_layers(release)) {
      if (layer.kind != ReleaseLayer::Kind::file) continue;
      if (!layer.from_root) add_path(layer.node, folder, effect);
      if (layer.node.text().starts_with('$')) add_source(release, layer.node);
    }
  }

  /// `$name/…`: the source of the Application with `ref: name`.
  void add_source(Node release, Node at) {
    std::vector<std::string> targets;
    std::string refs;
    const std::string_view text = at.text();
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view name = text.substr(1, slash - 1);
    for (const Node source : release.parent().items()) {
      const std::string_view ref = source.get("ref").text();
      if (ref.empty()) continue;
      if (source.get("ref").is_opaque() || ref == name) return;
      targets.push_back("$" + std::string(ref) + std::string(text.substr(slash)));
      refs += fmt::format("{}`ref: {}`", refs.empty() ? "" : ", ", ref);
    }
    const std::size_t count = references_.size();
    add(at, targets, "`ref` in", "Argo CD does not find the values file", Certainty::complete);
    if (references_.size() == count) return;
    const bool is_one = targets.size() == 1;
    Reference& added = references_.back();
    added.message = fmt::format("no source has `ref: {}`, but {} {}", name,
                                is_one ? "one source has" : "other sources have", refs);
    added.remedy = fmt::format(
        "write {}, or set `ref: {}` in the source with the values file",
        is_one ? fmt::format("`{}`", targets.front()) : std::string("one of the existing names"),
        name);
  }

  const Corpus& corpus_;
  std::vector<Reference> references_;
};

}  // namespace

std::vector<Reference> find_path_references(const Corpus& corpus) {
  return PathFinder(corpus).find();
}

}  // namespace gpulint::rules::misspelt_reference
