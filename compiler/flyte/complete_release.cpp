#include "compiler/flyte/complete_release.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/kinds/flyte_document.h"

namespace gpulint::flyte {
namespace {

using LayerKind = ReleaseLayer::Kind;

/// `a/b` and `../c.yaml` as `a/c.yaml`, by name alone.
[[nodiscard]] std::string join_paths(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view text : {folder, path}) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('/', begin), text.size());
      const std::string_view part = text.substr(begin, end - begin);
      begin = end + 1;
      if (part.empty() || part == ".") continue;
      if (part == ".." && !parts.empty() && parts.back() != "..") {
        parts.pop_back();
      } else {
        parts.push_back(part);
      }
    }
  }
  std::string joined = folder.starts_with('/') ? "/" : "";
  for (const std::string_view part : parts) {
    if (!joined.empty() && !joined.ends_with('/')) joined += '/';
    joined += part;
  }
  return joined;
}

[[nodiscard]] std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

using Found = std::optional<std::reference_wrapper<const Document>>;

/// Finds the documents that sources of values name.
class LayerFinder {
 public:
  LayerFinder(std::span<const Document* const> documents, const SourceSet& sources)
      : documents_(documents), sources_(sources) {}

  [[nodiscard]] Found find(const ReleaseLayer& layer, Node release) const {
    if (layer.kind == LayerKind::object) return find_object(layer, release);
    return layer.kind == LayerKind::file ? find_file(layer) : std::nullopt;
  }

 private:
  [[nodiscard]] Found find_object(const ReleaseLayer& layer, Node release) const {
    const std::string_view name_space = release.parent().at("metadata", "namespace").text();
    for (const Document* document : documents_) {
      if (document->host == nullptr || document->index != 0) continue;
      const auto entry = data_entry(Node(*document->host, document->host_node));
      if (!entry) continue;
      const Node object = entry->object;
      const std::string_view other = object.at("metadata", "namespace").text();
      const bool is_near = name_space.empty() || other.empty() || name_space == other;
      if (entry->key == layer.key && object.get("kind").text() == layer.of_kind &&
          object.at("metadata", "name").text() == layer.name && is_near) {
        return *document;
      }
    }
    return std::nullopt;
  }

  /// A path from the root of a repository is known by its end; if two files match, it is unknown.
  [[nodiscard]] Found find_file(const ReleaseLayer& layer) const {
    const std::string& named_in = sources_.file(layer.node.document()->file).path();
    const std::string path =
        layer.from_root ? join_paths("", layer.name) : join_paths(folder_of(named_in), layer.name);
    const Document* found = nullptr;
    for (const Document* document : documents_) {
      if (document->host != nullptr || document->index != 0) continue;
      const std::string name = join_paths("", sources_.file(document->file).path());
      const bool is_meant = name == path || (layer.from_root && name.ends_with("/" + path));
      if (!is_meant) continue;
      if (found != nullptr) return std::nullopt;
      found = document;
    }
    if (found == nullptr) return std::nullopt;
    return *found;
  }

  std::span<const Document* const> documents_;
  const SourceSet& sources_;
};

class Completion {
 public:
  Completion(std::span<const Document* const> documents, const SourceSet& sources,
             std::vector<PendingRelease>& pending)
      : documents_(documents), finder_(documents, sources), pending_(pending) {}

  void run() && {
    add_releases_without_values();
    for (PendingRelease& each : pending_) {
      if (each.installed_by) complete(each);
    }
    std::erase_if(pending_, [&](const PendingRelease& each) {
      const auto is_taken = [&](const Document* document) { return taken_.contains(document); };
      const bool is_release = !release_layers(each.installed_by).empty();
      const bool is_set =
          each.release.chart != FlyteChart::unknown && !each.release.settings.empty();
      return (each.release.layers.empty() && !is_set) ||
             (!is_release && std::ranges::all_of(each.documents, is_taken));
    });
  }

 private:
  /// Releases whose values are all in other files.
  void add_releases_without_values() {
    for (const Document* document : documents_) {
      if (document->host != nullptr || !document->errors.empty()) continue;
      for (const Node release : find_releases(root(*document))) {
        const std::vector<ReleaseLayer> layers = release_layers(release);
        const auto is_own = [](const ReleaseLayer& each) {
          return each.kind == LayerKind::written;
        };
        if (layers.empty() || std::ranges::any_of(layers, is_own)) continue;
        PendingRelease& added = pending_.emplace_back();
        added.installed_by = release;
        added.documents.push_back(document);
        added.release.chart = chart_named(
            named_chart({.values = {}, .chart = chart_of_release(release), .release = {}}));
      }
    }
  }

  /// Adds the values of other files before and after those of the file itself.
  void complete(PendingRelease& pending) {
    HelmRelease& release = pending.release;
    const std::vector<ReleaseLayer> sources = release_layers(pending.installed_by);
    const auto is_written = [](const ReleaseLayer& each) {
      return each.kind == LayerKind::written;
    };
    auto last = std::ranges::find_if(sources.rbegin(), sources.rend(), is_written).base();
    std::size_t position = 0;  // of the next layer; after the file's own layers once they are
                               // passed
    bool are_own_passed = false;
    for (auto at = sources.begin(); at != sources.end(); ++at) {
      if (at->kind == LayerKind::written) {
        if (!are_own_passed) position += own_count(release, position);
        are_own_passed = true;
      } else if (at->kind == LayerKind::setting) {
        add_setting(*at, release);
      } else if (const auto found = are_own_passed && at < last
                                        ? std::nullopt
                                        : finder_.find(*at, pending.installed_by)) {
        add_layer(*found, position, pending);
      } else {
        release.is_partial = true;
      }
    }
    // Helm applies all of `--set` before `--set-string`, and `--set-file` last
    std::ranges::stable_sort(release.settings, {}, &ValueSetting::reading);
  }

  /// How many layers are in the release's own file, after `position`.
  [[nodiscard]] static std::size_t own_count(const HelmRelease& release, std::size_t position) {
    return release.layers.size() - position;
  }

  static void add_setting(const ReleaseLayer& layer, HelmRelease& release) {
    std::string_view path = layer.key;
    if (!release.subchart.empty() && !layer.path_node.is_opaque()) {
      if (!path.starts_with(release.subchart + ".")) return;
      path.remove_prefix(release.subchart.size() + 1);
    }
    if (path.empty() || layer.path_node.is_opaque()) {
      release.is_partial = true;
      return;
    }
    release.settings.push_back(
        {layer.reading, std::string(path), layer.value, layer.path_node, layer.value_node});
  }

  void add_layer(const Document& document, std::size_t& position, PendingRelease& pending) {
    taken_.insert(&document);
    HelmRelease& release = pending.release;
    Node values = root(document);
    const std::vector<FlyteDocument> known = find_flyte(document);
    const FlyteChart of_content =
        known.empty() ? FlyteChart::unknown : chart_of(known.front().kind);
    if (of_content != FlyteChart::unknown && known.front().root != known.front().values) {
      values = known.front().root;  // below a parent chart's key
      if (release.layers.empty()) release.subchart = std::string(values.key().text());
    } else if (!release.subchart.empty()) {
      values = values.get(release.subchart);
    }
    if (!values.is_mapping()) return;
    if (release.chart == FlyteChart::unknown) release.chart = of_content;
    if (release.chart == FlyteChart::unknown) return;
    release.layers.insert(release.layers.begin() + static_cast<std::ptrdiff_t>(position), values);
    ++position;
    if (std::ranges::find(pending.documents, &document) == pending.documents.end()) {
      pending.documents.push_back(&document);
    }
  }

  std::span<const Document* const> documents_;
  LayerFinder finder_;
  std::vector<PendingRelease>& pending_;
  std::set<const Document*> taken_;
};

[[nodiscard]] std::string describe(const ReleaseLayer& layer) {
  if (layer.kind == LayerKind::object) return layer.of_kind + " " + layer.name;
  if (layer.node.is_scalar()) return std::string(layer.node.text());
  const bool is_patch = layer.node.get("values") || layer.node.get("valuesFrom");
  return is_patch ? "what this HelmRelease patches" : "values that are set elsewhere";
}

}  // namespace

void complete_releases(std::span<const Document* const> documents, const SourceSet& sources,
                       std::vector<PendingRelease>& pending) {
  Completion(documents, sources, pending).run();
}

std::vector<std::string> missing_values(const Document& document,
                                        std::span<const Document* const> documents,
                                        const SourceSet& sources) {
  const LayerFinder finder(documents, sources);
  std::vector<std::string> missing;
  for (const Node release : find_releases(root(document))) {
    for (const ReleaseLayer& layer : release_layers(release)) {
      if (layer.kind == LayerKind::written || layer.kind == LayerKind::setting) continue;
      if (!finder.find(layer, release)) missing.push_back(describe(layer));
    }
  }
  return missing;
}

}  // namespace gpulint::flyte
