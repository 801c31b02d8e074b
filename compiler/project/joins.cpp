#include "compiler/project/joins.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/project/path_words.h"

namespace gpulint {
namespace {

using Files = Nearest::Files;

using Choice = Nearest::Choice;

[[nodiscard]] std::vector<FileId> ids_of(const Files& files) {
  std::vector<FileId> ids;
  std::ranges::transform(files, std::back_inserter(ids), &FileContent::file);
  return ids;
}

void add_ids(const std::vector<FileId>& more, std::vector<FileId>& ids) {
  std::ranges::copy(more, std::back_inserter(ids));
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
}

[[nodiscard]] const NamedTexts& nodes_of(const FileContent& file) { return file.nodes; }

[[nodiscard]] bool holds_objects_or_machines(std::string_view folder) {
  return holds_shared_objects(folder) || holds_machines(folder);
}

/// Joins files with the nodes that they are compared with.
class NodePlanner {
 public:
  explicit NodePlanner(std::span<const FileContent> files)
      : files_(files), nearest_(files, nodes_of, holds_machines, Nearest::Projects::kept_apart) {
    for (const FileContent& file : files) {
      if (file.values != FlyteChart::unknown) ++values_[{folder_of(file.path), file.values}];
    }
  }

  [[nodiscard]] JoinPlan plan() && {
    if (nearest_.all().empty()) return {};
    std::vector<std::pair<const FileContent*, Choice>> choices;
    for (const FileContent& file : files_) {
      if (!file.nodes.empty() && !file.holds_pods) continue;
      choices.emplace_back(&file, choose(file));
    }
    refuse_examples(choices);
    std::map<Files, Files> joined;
    std::map<std::tuple<Files, NotCompared::Kind, std::string>, Files> apart;
    for (auto& [file, choice] : choices) {
      if (!choice.files.empty()) {
        joined[std::move(choice.files)].push_back(file);
      } else if (file->nodes.empty()) {
        apart[{std::move(choice.refused), choice.kind, std::move(choice.because)}].push_back(file);
      }
    }
    JoinPlan plan;
    for (const auto& [nodes, files] : joined) {
      Join join{ids_of(files), ids_of(nodes), {}};
      add_ids(join.nodes, join.files);
      if (join.files.size() > 1) plan.joins.push_back(std::move(join));
    }
    for (const auto& [why, files] : apart) {
      const auto& [nodes, kind, because] = why;
      plan.not_compared.push_back({kind, ids_of(files), ids_of(nodes), because});
    }
    return plan;
  }

 private:
  [[nodiscard]] Choice choose(const FileContent& file) const {
    Choice choice = nearest_.choose(file);
    const bool has_layers =
        file.values != FlyteChart::unknown && values_.at({folder_of(file.path), file.values}) > 1;
    if (choice.files.empty() || !has_layers) return choice;
    return Choice::none(
        std::move(choice.files), NotCompared::Kind::layers,
        "the folder has several values files of one chart; list its layers with `--values`");
  }

  /// A tree is a collection of clusters if several of its files have nodes without workloads.
  /// There, nodes in a folder next to a file may be meant for other files. Only nodes count that
  /// could not serve the file and whose names are about machines, because Surroundings also reads
  /// these.
  void refuse_examples(std::vector<std::pair<const FileContent*, Choice>>& choices) const {
    std::set<const FileContent*> serving;
    for (const auto& [file, choice] : choices) {
      for (const Files* const files : {&choice.files, &choice.refused}) {
        if (choice.kind != NotCompared::Kind::far) serving.insert(files->begin(), files->end());
      }
    }
    std::vector<std::pair<const FileContent*, std::string>> idle;  // and the folder they serve
    for (const FileContent* each : nearest_.all()) {
      const bool is_left_out = serving.contains(each) || !is_named_after_machines(each->path) ||
                               std::ranges::any_of(folders_in(each->path), holds_alternatives);
      if (!is_left_out) idle.emplace_back(each, outermost_served(each->path));
    }
    if (idle.size() < 2) return;
    for (auto& [file, choice] : choices) {
      const std::string& path = file->path;
      const bool is_beside = std::ranges::none_of(choice.files, [&](const FileContent* nodes) {
        return is_inside(path, folder_of(nodes->path));
      });
      if (choice.files.empty() || !is_beside) continue;
      const auto is_strange = [&](const auto& each) { return !is_inside(path, each.second); };
      if (std::ranges::count_if(idle, is_strange) < 2) continue;
      choice =
          Choice::none(std::move(choice.files), NotCompared::Kind::clusters,
                       fmt::format("the tree has other nodes without workloads near them, in {}",
                                   std::ranges::find_if(idle, is_strange)->first->path));
    }
  }

  std::span<const FileContent> files_;
  Nearest nearest_;
  std::map<std::pair<std::string, FlyteChart>, std::size_t> values_;  // by folder
};

/// Joins files with the objects that they need and do not define.
class ObjectPlanner {
 public:
  explicit ObjectPlanner(std::span<const FileContent> files) : files_(files) {
    std::set<SharedObject> given;
    for (const FileContent& file : files) {
      for (const auto& [what, objects] : file.objects) given.insert(what);
    }
    for (const SharedObject what : given) {
      const auto objects_of = [what](const FileContent& file) -> const NamedTexts& {
        static const NamedTexts none;
        const auto found = file.objects.find(what);
        return found == file.objects.end() ? none : found->second;
      };
      nearest_.emplace(what, Nearest(files, objects_of, holds_objects_or_machines));
    }
    add_definitions();
  }

  void add_to(JoinPlan& plan) const {
    if (nearest_.empty() && definitions_.empty()) return;
    std::map<FileId, const FileContent*> by_id;
    for (const FileContent& file : files_) by_id.emplace(file.file, &file);
    std::set<FileId> joined;
    for (Join& join : plan.joins) {
      const std::vector<FileId> members = join.files;
      joined.insert(members.begin(), members.end());
      for (const FileId file : members) add_objects(*by_id.at(file), join);
    }
    for (const FileContent& file : files_) {
      if (joined.contains(file.file)) continue;
      Join join{{file.file}, {}, {}};
      add_objects(file, join);
      if (join.files.size() > 1) plan.joins.push_back(std::move(join));
    }
  }

  /// Adds the objects that the file needs, and the objects that those need.
  void add_objects(const FileContent& file, Join& join) const {
    Files found{&file};
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const SharedObject what : found[i]->needs.objects) add_new(find(*found[i], what), found);
      for (const std::string& kind : found[i]->needs.kinds) {
        add_new(find_definition(*found[i], kind), found);
      }
    }
    found.erase(found.begin());
    std::vector<FileId> objects = ids_of(found);
    std::erase_if(objects, [&](FileId each) {
      return std::ranges::find(join.files, each) != join.files.end();
    });
    add_ids(objects, join.objects);
    add_ids(objects, join.files);
  }

 private:
  [[nodiscard]] Files find(const FileContent& file, SharedObject what) const {
    const auto nearest = nearest_.find(what);
    if (nearest == nearest_.end() || file.objects.contains(what)) return {};
    return nearest->second.choose(file).files;
  }

  [[nodiscard]] Files find_definition(const FileContent& file, const std::string& kind) const {
    const auto nearest = definitions_.find(kind);
    if (nearest == definitions_.end() || file.definitions.contains(kind)) return {};
    return nearest->second.choose(file).files;
  }

  static void add_new(const Files& more, Files& found) {
    for (const FileContent* each : more) {
      if (std::ranges::find(found, each) == found.end()) found.push_back(each);
    }
  }

  /// Adds definitions of the kinds of all custom resources.
  void add_definitions() {
    std::set<std::string> needed;
    for (const FileContent& file : files_)
      needed.insert(file.needs.kinds.begin(), file.needs.kinds.end());
    std::set<std::string> given;
    for (const FileContent& file : files_) {
      for (const auto& [kind, definitions] : file.definitions) {
        if (needed.contains(kind)) given.insert(kind);
      }
    }
    for (const std::string& kind : given) {
      const auto definitions_of = [kind](const FileContent& file) -> const NamedTexts& {
        static const NamedTexts none;
        const auto found = file.definitions.find(kind);
        return found == file.definitions.end() ? none : found->second;
      };
      definitions_.emplace(kind, Nearest(files_, definitions_of, holds_objects_or_machines));
    }
  }

  std::span<const FileContent> files_;
  std::map<SharedObject, Nearest> nearest_;
  std::map<std::string, Nearest> definitions_;  // by `group/Kind`
};

constexpr const char* far_away = "no nodes are near them in the tree";

/// The part of a path below a folder.
[[nodiscard]] std::string_view below(std::string_view path, std::string_view folder) {
  return folder.empty() ? path : path.substr(folder.size() + 1);
}

/// The `x` of `clusters/x/nodes.yaml` in the path below a folder; empty if there is none.
[[nodiscard]] std::string cluster_folder(std::string_view path, std::string_view folder) {
  bool is_cluster = holds_clusters(last_name(folder));
  for (const std::string_view name : folders_in(below(path, folder))) {
    if (is_cluster) return std::string(name);
    is_cluster = holds_clusters(name);
  }
  return {};
}

/// The cluster in the path below a folder, or else the environment.
[[nodiscard]] std::string cluster_on_way(std::string_view path, std::string_view folder) {
  std::string name = cluster_folder(path, folder);
  return name.empty() ? environment_in(below(path, folder)) : name;
}

/// Which of `clusters` the path of the file below the folder names, or else its environment.
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

JoinPlan plan_joins(std::span<const FileContent> files) {
  JoinPlan plan = NodePlanner(files).plan();
  ObjectPlanner(files).add_to(plan);
  return plan;
}

NamedJoin join_named(std::span<const FileContent> files, const FileContent& file) {
  NamedJoin result;
  Choice choice =
      Nearest(files, nodes_of, holds_machines, Nearest::Projects::kept_apart).choose(file);
  result.join.nodes = ids_of(choice.files);
  result.join.files = result.join.nodes;
  if (choice.kind == NotCompared::Kind::clusters) {
    result.refused = {choice.kind, {file.file}, ids_of(choice.refused), std::move(choice.because)};
  }
  ObjectPlanner(files).add_objects(file, result.join);
  return result;
}

Nearest::Nearest(std::span<const FileContent> files, Reader given, FolderWords serves_around,
                 Projects projects)
    : given_(std::move(given)), serves_around_(serves_around) {
  if (projects == Projects::kept_apart) find_projects(files);
  for (const FileContent& file : files) {
    if (given_(file).empty()) continue;
    all_.push_back(&file);
    for (std::string folder = folder_of(file.path);; folder = folder_of(folder)) {
      if (!serves_folder(file.path, folder, serves_around_)) {
        // It does not serve this folder.
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

/// Projects are folders with a name that is not only about machines, and with files without nodes.
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

/// The project in the path below a folder; empty if there is none.
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
        return Choice::none(found->second.files, NotCompared::Kind::clusters,
                            fmt::format("the folder `{}` contains alternatives", folder));
      }
      return choose_among(file, folder, found->second);
    }
    const auto kept = kept_.find(folder);
    if (kept != kept_.end() && because == far_away) {
      because = fmt::format("the folder `{}` is a separate project", kept->second);
    }
    if (is_edge || folder.empty())
      return Choice::none(all_, NotCompared::Kind::far, std::move(because));
  }
}

Nearest::Choice Nearest::choose_among(const FileContent& file, const std::string& folder,
                                      const Serving& found) const {
  std::set<std::string> clusters(found.clusters.begin(), found.clusters.end());
  clusters.erase("");
  const std::string own = own_cluster(file, folder, clusters);
  if (clusters.size() > 1 && own.empty()) {
    return Choice::none(
        found.files, NotCompared::Kind::clusters,
        fmt::format("the nodes belong to several clusters: {}", fmt::join(clusters, ", ")));
  }
  if (!own.empty()) {
    if (!clusters.empty() && !clusters.contains(own)) {
      return Choice::none(found.files, NotCompared::Kind::clusters,
                          fmt::format("the nodes belong to a cluster other than `{}`", own));
    }
  }
  Files chosen;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string& name = found.clusters[i];
    if (own.empty() || name.empty() || name == own) chosen.push_back(found.files[i]);
  }
  std::string conflict = find_conflict(chosen);
  if (!conflict.empty()) {
    return Choice::none(std::move(chosen), NotCompared::Kind::clusters, std::move(conflict));
  }
  return {.files = std::move(chosen), .refused = {}, .because = {}};
}

/// Why the files are of two clusters; empty if nothing shows that.
std::string Nearest::find_conflict(const Files& files) const {
  std::map<std::string_view, std::size_t> texts;
  std::set<Provider> providers;
  std::set<std::pair<std::string, std::string>> clusters;
  std::size_t whole = 0;
  for (const FileContent* file : files) {
    for (const auto& [name, hash] : given_(*file)) {
      if (texts.emplace(name, hash).first->second != hash) {
        return fmt::format("{} occurs twice, with different content", name);
      }
    }
    providers.insert(file->providers.begin(), file->providers.end());
    clusters.insert(file->clusters.begin(), file->clusters.end());
    if (file->holds_pods) ++whole;
  }
  if (providers.size() > 1) return "the nodes belong to different providers";
  if (clusters.size() > 1) {
    std::vector<std::string> names;
    for (const auto& [name, region] : clusters) {
      names.push_back(region.empty() ? name : fmt::format("{} in {}", name, region));
    }
    return fmt::format("the nodes belong to several clusters: {}", fmt::join(names, ", "));
  }
  if (whole > 1) return "several files have both nodes and pods";
  return {};
}

}  // namespace gpulint
