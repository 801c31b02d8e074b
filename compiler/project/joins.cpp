#include "compiler/project/joins.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "compiler/project/nearest.h"
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

/// Files and the nodes that they are held against.
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
    std::map<std::tuple<Files, Apart::Kind, std::string>, Files> apart;
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
      plan.apart.push_back({kind, ids_of(files), ids_of(nodes), because});
    }
    return plan;
  }

 private:
  [[nodiscard]] Choice choose(const FileContent& file) const {
    Choice choice = nearest_.choose(file);
    const bool has_layers =
        file.values != FlyteChart::unknown && values_.at({folder_of(file.path), file.values}) > 1;
    if (choice.files.empty() || !has_layers) return choice;
    return Choice::none(std::move(choice.files), Apart::Kind::layers,
                        "several values files of one chart: `--values` says which are layers");
  }

  /// Where several files of a tree have nodes that serve nothing, it is a collection of clusters:
  /// nodes in a folder next to a file need not be those that the file is meant for. Nodes count
  /// that could not serve the file and that have names of machines: Surroundings reads these.
  void refuse_examples(std::vector<std::pair<const FileContent*, Choice>>& choices) const {
    std::set<const FileContent*> serving;
    for (const auto& [file, choice] : choices) {
      for (const Files* const files : {&choice.files, &choice.refused}) {
        if (choice.kind != Apart::Kind::far) serving.insert(files->begin(), files->end());
      }
    }
    std::vector<std::pair<const FileContent*, std::string>> idle;  // and what they would serve
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
      choice = Choice::none(std::move(choice.files), Apart::Kind::clusters,
                            fmt::format("the tree has other nodes that serve nothing, in {}",
                                        std::ranges::find_if(idle, is_strange)->first->path));
    }
  }

  std::span<const FileContent> files_;
  Nearest nearest_;
  std::map<std::pair<std::string, FlyteChart>, std::size_t> values_;  // by folder
};

/// The objects that files need and do not have.
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

  /// What the file needs, and what that needs in turn.
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

  /// Definitions of the kinds that some file has a resource of.
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
  if (choice.kind == Apart::Kind::clusters) {
    result.refused = {choice.kind, {file.file}, ids_of(choice.refused), std::move(choice.because)};
  }
  ObjectPlanner(files).add_objects(file, result.join);
  return result;
}

}  // namespace gpulint
