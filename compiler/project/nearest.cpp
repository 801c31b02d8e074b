#include "compiler/project/nearest.h"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint {
namespace {

constexpr const char* far_away = "no nodes stand near them in the tree";

/// The part of a path behind a folder around it.
[[nodiscard]] std::string_view below(std::string_view path, std::string_view folder) {
  return folder.empty() ? path : path.substr(folder.size() + 1);
}

/// The `x` of `clusters/x/nodes.yaml` on the way from a folder down to a file; empty: there is
/// none.
[[nodiscard]] std::string cluster_folder(std::string_view path, std::string_view folder) {
  bool is_cluster = holds_clusters(last_name(folder));
  for (const std::string_view name : folders_in(below(path, folder))) {
    if (is_cluster) return std::string(name);
    is_cluster = holds_clusters(name);
  }
  return {};
}

/// The cluster that the way down names, the environment where it names none.
[[nodiscard]] std::string cluster_on_way(std::string_view path, std::string_view folder) {
  std::string name = cluster_folder(path, folder);
  return name.empty() ? environment_in(below(path, folder)) : name;
}

/// The one of the clusters that the way down to the file names, or its environment.
[[nodiscard]] std::string own_cluster(const FileContent& file, const std::string& folder,
                                      const std::set<std::string>& clusters) {
  if (std::string name = cluster_folder(file.path, folder); !name.empty()) return name;
  const std::string_view way = below(file.path, folder);
  for (const std::string_view name : folders_in(way)) {
    if (clusters.contains(std::string(name))) return std::string(name);
  }
  for (const std::string& word : words_in(way)) {
    if (clusters.contains(word)) return word;
  }
  return environment_in(way);
}

}  // namespace

Nearest::Nearest(std::span<const FileContent> files, Reader given, FolderWords serves_around,
                 Projects projects)
    : given_(std::move(given)), serves_around_(serves_around) {
  if (projects == Projects::kept_apart) find_projects(files);
  for (const FileContent& file : files) {
    if (given_(file).empty()) continue;
    all_.push_back(&file);
    for (std::string folder = folder_of(file.path);; folder = folder_of(folder)) {
      if (!serves_folder(file.path, folder, serves_around_)) {
        // Nothing.
      } else if (std::string project = project_on_way(file.path, folder); !project.empty()) {
        kept_.emplace(folder, std::move(project));
      } else {
        serving_[folder].files.push_back(&file);
        serving_[folder].clusters.push_back(cluster_on_way(file.path, folder));
      }
      if (folder.empty()) break;
    }
  }
}

/// Folders whose names say more than that machines are in them, with files that give nothing.
void Nearest::find_projects(std::span<const FileContent> files) {
  for (const FileContent& file : files) {
    if (!given_(file).empty()) continue;
    for (std::string folder = folder_of(file.path); !folder.empty(); folder = folder_of(folder)) {
      if (has_foreign_word(last_name(folder)) && !holds_clusters(last_name(folder_of(folder)))) {
        projects_.insert(folder);
      }
    }
  }
}

/// The project on the way from a folder down to a file; empty: there is none.
std::string Nearest::project_on_way(std::string_view path, std::string_view folder) const {
  for (std::string at = folder_of(path); at != folder; at = folder_of(at)) {
    if (projects_.contains(at)) return at;
  }
  return {};
}

Nearest::Choice Nearest::choose(const FileContent& file) const {
  std::string because = far_away;
  for (std::string folder = folder_of(file.path);; folder = folder_of(folder)) {
    const bool is_edge = holds_alternatives(last_name(folder));
    if (const auto found = serving_.find(folder); found != serving_.end()) {
      if (is_edge) {
        return Choice::none(found->second.files, Apart::Kind::clusters,
                            fmt::format("`{}` holds alternatives", folder));
      }
      return choose_among(file, folder, found->second);
    }
    const auto kept = kept_.find(folder);
    if (kept != kept_.end() && because == far_away) {
      because = fmt::format("`{}` is a project of its own", kept->second);
    }
    if (is_edge || folder.empty()) return Choice::none(all_, Apart::Kind::far, std::move(because));
  }
}

Nearest::Choice Nearest::choose_among(const FileContent& file, const std::string& folder,
                                      const Serving& found) const {
  std::set<std::string> clusters(found.clusters.begin(), found.clusters.end());
  clusters.erase("");
  const std::string own = own_cluster(file, folder, clusters);
  if (clusters.size() > 1 && own.empty()) {
    return Choice::none(found.files, Apart::Kind::clusters,
                        fmt::format("they are of several clusters: {}", fmt::join(clusters, ", ")));
  }
  if (!own.empty()) {
    if (!clusters.empty() && !clusters.contains(own)) {
      return Choice::none(found.files, Apart::Kind::clusters,
                          fmt::format("the nodes are of another cluster than `{}`", own));
    }
  }
  Files chosen;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string& name = found.clusters[i];
    if (own.empty() || name.empty() || name == own) chosen.push_back(found.files[i]);
  }
  std::string conflict = find_conflict(chosen);
  if (!conflict.empty()) {
    return Choice::none(std::move(chosen), Apart::Kind::clusters, std::move(conflict));
  }
  return {.files = std::move(chosen), .refused = {}, .because = {}};
}

/// Whether the files show two clusters, and why.
std::string Nearest::find_conflict(const Files& files) const {
  std::map<std::string_view, std::size_t> texts;
  std::set<Provider> providers;
  std::set<std::pair<std::string, std::string>> clusters;
  std::size_t whole = 0;
  for (const FileContent* file : files) {
    for (const auto& [name, hash] : given_(*file)) {
      if (texts.emplace(name, hash).first->second != hash) {
        return fmt::format("{} is there twice, with different content", name);
      }
    }
    providers.insert(file->providers.begin(), file->providers.end());
    clusters.insert(file->clusters.begin(), file->clusters.end());
    if (file->holds_pods) ++whole;
  }
  if (providers.size() > 1) return "the nodes are of different providers";
  if (clusters.size() > 1) {
    std::vector<std::string> names;
    for (const auto& [name, region] : clusters) {
      names.push_back(region.empty() ? name : fmt::format("{} in {}", name, region));
    }
    return fmt::format("they are of several clusters: {}", fmt::join(names, ", "));
  }
  if (whole > 1) return "several files have nodes and pods of their own";
  return {};
}

}  // namespace gpulint
