#include "compiler/project/python_joins.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/flyte/loaded_release.h"
#include "compiler/project/joins.h"

namespace gpulint {
namespace {

[[nodiscard]] const NamedTexts& releases_of(const FileContent& file) { return file.nodes; }

/// There is no convention for the paths of tasks and values, so any folder may serve others. Only
/// alternatives and separate clusters are not joined.
[[nodiscard]] bool holds_anything(std::string_view) { return true; }

/// Why no release was chosen. Reasons of the search are about nodes.
[[nodiscard]] std::string describe(const Nearest::Choice& choice) {
  if (choice.kind == NotCompared::Kind::far) return "no release is near them in the tree";
  constexpr std::string_view nodes = "the nodes belong ";
  if (!choice.because.starts_with(nodes)) return choice.because;
  return (choice.refused.size() == 1 ? "the release belongs " : "the releases belong ") +
         choice.because.substr(nodes.size());
}

[[nodiscard]] const std::string& place_of(const Project& project, FileId file) {
  const auto place = project.places.find(file);
  return place == project.places.end() ? project.sources.file(file).path() : place->second;
}

class Joiner {
 public:
  Joiner(const DocumentsOf& documents_of, Project& project, std::vector<ScopePlan>& plans)
      : project_(project), plans_(plans) {
    const auto is_alone = [this](const ScopePlan& plan) { return is_python_alone(plan); };
    if (std::ranges::none_of(plans, is_alone)) return;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (is_alone(plans[i])) continue;
      add_releases(i, flyte::find_releases(documents_of(plans[i].files), project.sources,
                                           plans[i].settings));
    }
  }

  void run() {
    const Nearest nearest(releases_, releases_of, holds_anything);
    std::set<std::size_t> emptied;
    std::map<std::string, NotCompared> apart;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (!is_python_alone(plans_[i])) continue;
      const FileId file = plans_[i].files.front();
      FileContent content;
      content.file = file;
      content.path = place_of(project_, file);
      const Nearest::Choice choice = nearest.choose(content);
      if (const auto to = plan_of(choice.files)) {
        plans_[*to].files.push_back(file);
        emptied.insert(i);
      } else if (!releases_.empty() && !project_.context_only.contains(file)) {
        NotCompared& why = apart[describe(choice)];
        why.because = describe(choice);
        why.files.push_back(file);
      }
    }
    for (auto& [because, files] : apart) project_.tasks_not_compared.push_back(std::move(files));
    finish(emptied);
  }

 private:
  [[nodiscard]] bool is_python_alone(const ScopePlan& plan) const {
    return plan.runs_on_shared_nodes && plan.files.size() == 1 &&
           project_.python.contains(plan.files.front());
  }

  /// If a scope has several releases, it is unknown which one runs the tasks.
  void add_releases(std::size_t plan, const std::vector<flyte::LoadedRelease>& releases) {
    if (plans_[plan].settings.lists_workloads || releases.size() != 1) return;
    for (const Document* document : releases.front().documents) {
      const FileId file = document->file;
      FileContent content;
      content.file = file;
      content.path = place_of(project_, file);
      content.nodes.emplace_back("the Flyte release", plan);
      releases_.push_back(std::move(content));
      plan_of_.emplace(file, plan);
    }
  }

  /// The scope of all the files; nullopt if there are several.
  [[nodiscard]] std::optional<std::size_t> plan_of(const Nearest::Files& files) const {
    if (files.empty()) return std::nullopt;
    const std::size_t plan = plan_of_.at(files.front()->file);
    const bool is_one = std::ranges::all_of(files, [&](const FileContent* file) {
      return plan_of_.count(file->file) == 1 && plan_of_.at(file->file) == plan;
    });
    return is_one ? std::optional(plan) : std::nullopt;
  }

  void finish(const std::set<std::size_t>& emptied) {
    std::vector<ScopePlan> kept;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (emptied.contains(i)) continue;
      std::ranges::sort(plans_[i].files);
      kept.push_back(std::move(plans_[i]));
    }
    plans_ = std::move(kept);
  }

  Project& project_;
  std::vector<ScopePlan>& plans_;
  std::vector<FileContent> releases_;
  std::map<FileId, std::size_t> plan_of_;
};

}  // namespace

void join_python_tasks(const DocumentsOf& documents_of, Project& project,
                       std::vector<ScopePlan>& plans) {
  Joiner(documents_of, project, plans).run();
}

}  // namespace gpulint
