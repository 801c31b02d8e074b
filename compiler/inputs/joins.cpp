#include "compiler/inputs/joins.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/inputs/path_words.h"

namespace gpulint {
namespace {

using Files = std::vector<const FileContent*>;

constexpr const char* far_away = "no nodes stand near them in the tree";

/// The last part of a path.
[[nodiscard]] std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// The part of a path behind a folder around it.
[[nodiscard]] std::string_view below(std::string_view path, std::string_view folder) {
  return folder.empty() ? path : path.substr(folder.size() + 1);
}

/// Whether nodes of the file serve a folder around it: on the way down there are only folders named
/// after machines, and one for each cluster.
[[nodiscard]] bool serves_from(std::string_view path, std::string_view folder) {
  bool is_cluster = holds_clusters(name_of(folder));  // then any name may follow
  for (const std::string_view name : folders_in(below(path, folder))) {
    if (holds_alternatives(name) || (!is_cluster && !holds_machines(name))) return false;
    is_cluster = holds_clusters(name);
  }
  return true;
}

/// The `x` of `clusters/x/nodes.yaml` on the way from a folder down to a file; empty: there is
/// none.
[[nodiscard]] std::string cluster_folder(std::string_view path, std::string_view folder) {
  bool is_cluster = holds_clusters(name_of(folder));
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

/// Whether the files show two clusters, and why.
[[nodiscard]] std::string find_conflict(const Files& nodes) {
  std::map<std::string_view, std::size_t> texts;
  std::set<Provider> providers;
  std::size_t whole = 0;
  for (const FileContent* file : nodes) {
    for (const auto& [name, hash] : file->nodes) {
      if (texts.emplace(name, hash).first->second != hash) {
        return fmt::format("{} is there twice, with different content", name);
      }
    }
    providers.insert(file->providers.begin(), file->providers.end());
    if (file->holds_pods) ++whole;
  }
  if (providers.size() > 1) return "the nodes are of different providers";
  if (whole > 1) return "several files have nodes and pods of their own";
  return {};
}

/// The nodes that a file is held against, or why none.
struct Choice {
  Files nodes;
  Files refused;  ///< What it would have been held against.
  Apart::Kind kind = Apart::Kind::clusters;
  std::string because;

  [[nodiscard]] static Choice none(Files refused, Apart::Kind kind, std::string because) {
    return {{}, std::move(refused), kind, std::move(because)};
  }
};

class Planner {
 public:
  explicit Planner(std::span<const FileContent> files) : files_(files) {
    for (const FileContent& file : files) {
      if (file.values != FlyteChart::unknown) ++values_[{folder_of(file.path), file.values}];
      if (file.nodes.empty()) continue;
      has_nodes_.push_back(&file);
      for (std::string folder = folder_of(file.path);; folder = folder_of(folder)) {
        if (serves_from(file.path, folder)) serving_[folder].push_back(&file);
        if (folder.empty()) break;
      }
    }
  }

  [[nodiscard]] JoinPlan plan() && {
    if (has_nodes_.empty()) return {};
    std::map<Files, Files> joined;
    std::map<std::tuple<Files, Apart::Kind, std::string>, Files> apart;
    for (const FileContent& file : files_) {
      if (!file.nodes.empty() && !file.holds_pods) continue;
      Choice choice = choose(file);
      if (!choice.nodes.empty()) {
        joined[std::move(choice.nodes)].push_back(&file);
      } else if (file.nodes.empty()) {
        apart[{std::move(choice.refused), choice.kind, std::move(choice.because)}].push_back(&file);
      }
    }
    JoinPlan plan;
    for (const auto& [nodes, files] : joined) add_join(nodes, files, plan);
    for (const auto& [why, files] : apart) {
      const auto& [nodes, kind, because] = why;
      plan.apart.push_back({kind, ids_of(files), ids_of(nodes), because});
    }
    return plan;
  }

 private:
  /// Looks from the file's folder outwards until there are nodes.
  [[nodiscard]] Choice choose(const FileContent& file) const {
    for (std::string folder = folder_of(file.path);; folder = folder_of(folder)) {
      const bool is_edge = holds_alternatives(name_of(folder));
      if (const auto found = serving_.find(folder); found != serving_.end()) {
        if (is_edge) {
          return Choice::none(found->second, Apart::Kind::clusters,
                              fmt::format("`{}` holds alternatives", folder));
        }
        return choose_among(file, folder, found->second);
      }
      if (is_edge || folder.empty()) return Choice::none(has_nodes_, Apart::Kind::far, far_away);
    }
  }

  [[nodiscard]] Choice choose_among(const FileContent& file, const std::string& folder,
                                    const Files& nodes) const {
    if (file.values != FlyteChart::unknown && values_.at({folder_of(file.path), file.values}) > 1) {
      return Choice::none(nodes, Apart::Kind::layers,
                          "several values files of one chart: `--values` says which are layers");
    }
    Files chosen = nodes;
    std::set<std::string> clusters;
    for (const FileContent* each : nodes) {
      if (std::string name = cluster_on_way(each->path, folder); !name.empty()) {
        clusters.insert(std::move(name));
      }
    }
    const std::string own = own_cluster(file, folder, clusters);
    if (clusters.size() > 1 && own.empty()) {
      return Choice::none(
          nodes, Apart::Kind::clusters,
          fmt::format("they are of several clusters: {}", fmt::join(clusters, ", ")));
    }
    if (!own.empty()) {
      if (!clusters.empty() && !clusters.contains(own)) {
        return Choice::none(nodes, Apart::Kind::clusters,
                            fmt::format("the nodes are of another cluster than `{}`", own));
      }
      std::erase_if(chosen, [&](const FileContent* each) {
        const std::string name = cluster_on_way(each->path, folder);
        return !name.empty() && name != own;
      });
    }
    std::string conflict = find_conflict(chosen);
    if (!conflict.empty()) {
      return Choice::none(std::move(chosen), Apart::Kind::clusters, std::move(conflict));
    }
    return {.nodes = std::move(chosen), .refused = {}, .because = {}};
  }

  /// The one of the clusters that the way down to the file names, or its environment.
  [[nodiscard]] static std::string own_cluster(const FileContent& file, const std::string& folder,
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

  void add_join(const Files& nodes, const Files& files, JoinPlan& plan) const {
    Join join{ids_of(files), ids_of(nodes)};
    std::ranges::copy(join.nodes, std::back_inserter(join.files));
    std::ranges::sort(join.files);
    join.files.erase(std::ranges::unique(join.files).begin(), join.files.end());
    if (join.files.size() > 1) plan.joins.push_back(std::move(join));
  }

  [[nodiscard]] static std::vector<FileId> ids_of(const Files& files) {
    std::vector<FileId> ids;
    std::ranges::transform(files, std::back_inserter(ids), &FileContent::file);
    return ids;
  }

  std::span<const FileContent> files_;
  Files has_nodes_;
  std::map<std::string, Files> serving_;  // by the folder in which it is looked for
  std::map<std::pair<std::string, FlyteChart>, std::size_t> values_;  // by folder
};

}  // namespace

JoinPlan plan_joins(std::span<const FileContent> files) { return Planner(files).plan(); }

}  // namespace gpulint
