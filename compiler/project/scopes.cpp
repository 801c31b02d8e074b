#include "compiler/project/scopes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "compiler/base/glob.h"
#include "compiler/base/parallel.h"
#include "compiler/ir/python.h"
#include "compiler/project/path_in_config.h"

namespace gpulint {
namespace {

/// All names of a file, relative to the folder of gpulint.yaml.
using Names = std::vector<std::string>;

[[nodiscard]] bool any_matches(const std::vector<std::string>& globs, const Names& names) {
  return std::ranges::any_of(globs, [&](const auto& glob) {
    return std::ranges::any_of(names, [&](const auto& name) { return glob_matches(glob, name); });
  });
}

[[nodiscard]] bool has_globs(const ScopeConfig& scope) {
  return !scope.paths.empty() || !scope.nodes.empty() || !scope.workloads.empty() ||
         !scope.settings.values_layers.empty();
}

/// Whether the scope in gpulint.yaml names the file.
[[nodiscard]] bool claims(const ScopeConfig& scope, const Names& names) {
  return any_matches(scope.paths, names) || any_matches(scope.nodes, names) ||
         any_matches(scope.workloads, names) || any_matches(scope.settings.values_layers, names);
}

/// Whether the scope in gpulint.yaml names the file as one with workloads.
[[nodiscard]] bool holds_workloads(const ScopeConfig& scope, const Names& names) {
  return any_matches(scope.paths, names) || any_matches(scope.workloads, names) ||
         any_matches(scope.settings.values_layers, names);
}

[[nodiscard]] Settings with_options(Settings settings, const Request& request) {
  if (request.all_objects) settings.looks_beyond_gpus = true;
  if (request.provider != Provider::unknown) settings.provider = request.provider;
  if (request.flyte_version != FlyteVersion::unknown)
    settings.flyte_version = request.flyte_version;
  if (request.chart != FlyteChart::unknown) settings.flyte_chart = request.chart;
  if (!request.values.empty()) settings.values_layers.clear();
  std::ranges::transform(request.values, std::back_inserter(settings.values_layers), normal_path);
  return settings;
}

class Planner {
 public:
  Planner(const Config& config, const Request& request, const SourceSet& sources,
          const KustomizeFiles& kustomize_files, const FileSystem& files)
      : config_(config),
        request_(request),
        sources_(sources),
        kustomize_files_(kustomize_files),
        files_(files),
        has_globs_(has_globs(config.top) || !config.scopes.empty()),
        holds_objects_(config.top.settings.node_pools || !config.top.settings.tasks.empty()) {
    for (const ScopeConfig& scope : config.scopes) configured_.push_back(make_plan(scope));
    top_ = make_plan(config.top);
    named_ = make_plan(config.top);
  }

  [[nodiscard]] ScopePlans plan(const std::vector<InputFile>& inputs,
                                const ContentReader& read_content) && {
    joins_packages_ = names_packages_alone(inputs);
    const bool has_folders = std::ranges::any_of(inputs, [](const InputFile& input) {
      return input.origin == InputOrigin::walked && input.is_checked;
    });
    for (const InputFile& input : inputs) {
      // The user names nodes next to a folder for that folder.
      const bool serves = has_folders && input.origin == InputOrigin::named && !is_package(input) &&
                          !read_content.content(input.id).nodes.empty();
      serves ? everywhere_.push_back(input.id) : place(input);
      if (!input.place.empty()) places_.emplace(input.id, input.place);
      if (input.rendered_by) rendered_[*input.rendered_by].push_back(input.id);
    }
    for (ScopePlan& plan : configured_) join_files(plan.files);
    join_files(top_.files);
    join_files(named_.files);
    std::vector<ScopePlan> plans;
    const auto keep = [&](ScopePlan& plan) {
      if (!plan.files.empty()) plans.push_back(std::move(plan));
    };
    // Files that gpulint.yaml joins with named files belong to their scope.
    if (!named_.files.empty()) {
      std::ranges::copy(top_.files, std::back_inserter(named_.files));
      std::ranges::copy(top_nodes_, std::back_inserter(named_.files));
      top_.files.clear();
    }
    const bool are_nodes_named = !named_.files.empty();
    const std::vector<FileId> named = named_.files;
    keep(named_);
    std::ranges::for_each(configured_, keep);
    // Nodes are checked even if no workload runs on them.
    const bool are_shared = !alone_.empty() && !settles_workloads();
    if (!top_.files.empty() || (!are_nodes_named && !are_shared)) {
      std::ranges::copy(top_nodes_, std::back_inserter(top_.files));
    }
    keep(top_);
    // A declared chart is a release even without values, and a provider has nodes without files.
    const bool is_told =
        request_.chart != FlyteChart::unknown || request_.purpose == Purpose::generate;
    const bool is_empty = plans.empty() && alone_.empty();
    if (is_empty && (is_told || !everywhere_.empty())) plans.push_back(std::move(named_));
    for (ScopePlan& plan : plans) {
      name_layers(inputs, plan);
      std::ranges::copy(everywhere_, std::back_inserter(plan.files));
      sort_files(plan.files);
    }
    ScopePlans result{std::move(plans), {}, {}};
    group_kustomizations();
    group_rendered();
    if (may_join(0)) group_releases(read_content.releases);
    if (may_join(named.size())) join_lone_files(inputs, named, read_content, result);
    add_lone_files(result);
    return result;
  }

 private:
  [[nodiscard]] ScopePlan make_plan(const ScopeConfig& scope) const {
    return {.name = scope.name,
            .config = &scope,
            .files = {},
            .settings = with_options(scope.settings, request_)};
  }

  [[nodiscard]] bool settles_workloads() const {
    return !config_.top.workloads.empty() || !config_.top.settings.values_layers.empty();
  }

  [[nodiscard]] Names names_in_config(const InputFile& input) const {
    Names names = {path_in_config(files_, config_, sources_.file(input.id).path())};
    for (const std::string& name : input.other_names) {
      names.push_back(path_in_config(files_, config_, name));
    }
    return names;
  }

  /// Replaces names of values layers by the paths of the inputs.
  void name_layers(const std::vector<InputFile>& inputs, ScopePlan& plan) const {
    if (plan.settings.values_layers.empty()) return;
    for (const InputFile& input : inputs) {
      for (const std::string& name : input.other_names) {
        std::ranges::replace(plan.settings.values_layers, name, sources_.file(input.id).path());
      }
    }
  }

  [[nodiscard]] bool is_package(const InputFile& input) const {
    return sources_.file(input.id).is_told();
  }

  /// Whether the command line names folders and packages, and no other file.
  [[nodiscard]] bool names_packages_alone(const std::vector<InputFile>& inputs) const {
    const auto is_walked = [](const InputFile& input) {
      return input.origin == InputOrigin::walked;
    };
    const auto is_other = [&](const InputFile& input) {
      const bool is_told = input.origin == InputOrigin::named || input.origin == InputOrigin::layer;
      return is_told && !is_package(input);
    };
    return std::ranges::any_of(inputs, is_walked) && std::ranges::none_of(inputs, is_other);
  }

  void place(const InputFile& input) {
    // Computing names costs more than reading a small file, and only globs need them.
    const Names names = has_globs_ ? names_in_config(input) : Names();
    if (input.origin == InputOrigin::node_list) {
      everywhere_.push_back(input.id);
      return;
    }
    bool claimed = false;
    for (std::size_t i = 0; i < configured_.size(); ++i) {
      if (!claims(config_.scopes[i], names)) continue;
      const bool is_out = any_matches(config_.scopes[i].exclude, names);
      if (!is_out) configured_[i].files.push_back(input.id);
      claimed = claimed || !is_out || input.origin != InputOrigin::named;
    }
    if (claimed) return;
    const bool is_named = input.origin == InputOrigin::named || input.origin == InputOrigin::layer;
    if (is_named && !(joins_packages_ && is_package(input))) {
      named_.files.push_back(input.id);
    } else if (claims(config_.top, names)) {
      // A file may contain both.
      const bool holds_nodes = any_matches(config_.top.nodes, names);
      if (holds_nodes) top_nodes_.push_back(input.id);
      if (!holds_nodes || holds_workloads(config_.top, names)) top_.files.push_back(input.id);
    } else {
      walked_.push_back(input.id);
      const bool may_count = holds_objects_ && !is_package(input) &&
                             !python::is_source(sources_.file(input.id).path());
      if (!input.is_blank || may_count) alone_.push_back(input.id);
    }
  }

  /// Adds the files that kustomizations among `files` name, and the kustomizations that use one of
  /// `files` as a patch.
  void join_files(std::vector<FileId>& files) {
    if (files.empty()) return;
    std::vector<FileId> named = files;
    for (const FileId file : files) {
      std::ranges::copy(kustomize_files_.patched_by(file), std::back_inserter(named));
    }
    const std::set<FileId> all = kustomize_files_.joined(std::move(named));
    joined_.insert(all.begin(), all.end());
    files.assign(all.begin(), all.end());
  }

  /// Joins the files of each topmost kustomization into one lone entry, unless all of them are
  /// blank.
  void group_kustomizations() {
    const std::set<FileId> worth_reading(alone_.begin(), alone_.end());
    const std::set<FileId> walked(walked_.begin(), walked_.end());
    std::set<FileId> taken = joined_;
    std::vector<FileId> gathered;
    for (const FileId file : kustomize_files_.topmost()) {
      if (!walked.contains(file) || joined_.contains(file)) continue;
      const std::set<FileId> files = kustomize_files_.joined({file});
      const bool is_blank =
          std::ranges::none_of(files, [&](FileId each) { return worth_reading.contains(each); });
      if (is_blank) continue;
      taken.insert(files.begin(), files.end());
      members_[file].assign(files.begin(), files.end());
      gathered.push_back(file);
    }
    std::erase_if(alone_, [&](FileId file) { return taken.contains(file); });
    std::ranges::copy(gathered, std::back_inserter(alone_));
  }

  /// Joins the files that one chart rendered into one lone entry.
  void group_rendered() {
    for (const auto& [input, files] : rendered_) {
      std::vector<FileId> own;
      std::ranges::copy_if(files, std::back_inserter(own), [&](FileId file) {
        return std::ranges::find(walked_, file) != walked_.end();
      });
      const auto is_alone = [&](FileId file) {
        return std::ranges::find(alone_, file) != alone_.end();
      };
      const auto first = std::ranges::find_if(own, is_alone);
      if (first == own.end()) continue;
      const FileId lone = *first;
      std::erase_if(alone_, [&](FileId file) {
        return file != lone && std::ranges::find(own, file) != own.end();
      });
      members_[lone] = std::move(own);
    }
  }

  /// Joins each release and the files of its values into one lone entry.
  void group_releases(const ReleaseReader& read) {
    const std::vector<std::vector<FileId>> named =
        find_release_values(alone_, walked_, sources_, request_.jobs, read);
    std::set<FileId> taken;
    for (std::size_t i = 0; i < alone_.size(); ++i) {
      if (named[i].empty()) continue;
      std::vector<FileId> files = files_of(alone_[i]);
      std::ranges::copy(named[i], std::back_inserter(files));
      taken.insert(named[i].begin(), named[i].end());
      sort_files(files);
      members_[alone_[i]] = std::move(files);
    }
    std::erase_if(alone_, [&](FileId file) { return taken.contains(file); });
  }

  /// The files of a lone entry.
  [[nodiscard]] std::vector<FileId> files_of(FileId lone) const {
    const auto found = members_.find(lone);
    return found == members_.end() ? std::vector<FileId>{lone} : found->second;
  }
  [[nodiscard]] std::vector<FileId> files_of(const std::vector<FileId>& lone) const {
    std::vector<FileId> files;
    for (const FileId file : lone) std::ranges::copy(files_of(file), std::back_inserter(files));
    sort_files(files);
    return files;
  }

  [[nodiscard]] FileContent content_of(FileId lone, const ContentReader& read) const {
    FileContent content = read.content(lone);
    if (const auto place = places_.find(lone); place != places_.end()) content.path = place->second;
    for (const FileId file : files_of(lone)) {
      if (file == lone) continue;
      FileContent other = read.content(file);
      content.holds_pods = content.holds_pods || other.holds_pods || other.nodes.empty();
      std::ranges::move(other.nodes, std::back_inserter(content.nodes));
      content.clusters.merge(other.clusters);
      for (auto& [what, objects] : other.objects) {
        std::ranges::move(objects, std::back_inserter(content.objects[what]));
      }
      for (auto& [kind, definitions] : other.definitions) {
        std::ranges::move(definitions, std::back_inserter(content.definitions[kind]));
      }
      std::ranges::move(other.providers, std::back_inserter(content.providers));
    }
    return content;
  }

  /// Whether joins are allowed, and no option or setting says which nodes the lone files run on.
  [[nodiscard]] bool may_join(std::size_t more) const {
    return config_.joins && !request_.no_join && alone_.size() + more > 1 && everywhere_.empty() &&
           top_nodes_.empty() && !config_.top.settings.node_pools;
  }

  /// The named folders, as paths of InputFile::place with a slash at the end.
  [[nodiscard]] std::set<std::string> named_folders(const std::vector<InputFile>& inputs) const {
    std::set<std::string> folders;
    for (const std::string& path : request_.paths) {
      const std::string folder = normal_path(path);
      const bool is_here = folder == ".";
      const std::string before = is_here || folder.ends_with('/') ? folder : folder + "/";
      for (const InputFile& input : inputs) {
        const std::string& name = sources_.file(input.id).path();
        const bool is_inside = input.was_found && (is_here || name.starts_with(before));
        if (!is_inside || !input.is_checked) continue;
        const std::string_view rest = std::string_view(name).substr(is_here ? 0 : before.size());
        std::string place = input.place.empty() ? name : input.place;
        if (!place.ends_with(rest)) continue;
        place.resize(place.size() - rest.size());
        folders.insert(std::move(place));
        break;
      }
    }
    return folders;
  }

  /// Joins files named next to folders with the nodes of these folders, and with objects that they
  /// need.
  void join_named_files(const std::vector<InputFile>& inputs, const std::vector<FileId>& named,
                        const std::vector<FileContent>& contents, const ContentReader& read,
                        ScopePlans& result) const {
    FileContent file;
    file.file = named.front();
    for (const FileId each : named) {
      if (!read.content(each).nodes.empty()) return;
      file.needs.merge(read.needs(each));
    }
    ScopePlan& plan = result.scopes.front();
    for (const std::string& folder : named_folders(inputs)) {
      file.path = folder + "x";
      NamedJoin joined = join_named(contents, file);
      plan.files.insert(plan.files.end(), joined.join.files.begin(), joined.join.files.end());
      if (joined.refused.files.empty()) continue;
      joined.refused.files = named;
      result.not_compared.push_back(std::move(joined.refused));
    }
    plan.files = files_of(plan.files);
  }

  /// Makes scopes of lone files with the nodes and objects near them.
  void join_lone_files(const std::vector<InputFile>& inputs, const std::vector<FileId>& named,
                       const ContentReader& read, ScopePlans& result) {
    std::vector<FileContent> contents = parallel_map(
        alone_.size(), request_.jobs, [&](std::size_t i) { return content_of(alone_[i], read); });
    const auto has_nodes = [](const FileContent& file) { return !file.nodes.empty(); };
    const auto has_objects = [](const FileContent& file) {
      return !file.objects.empty() || !file.definitions.empty();
    };
    const bool are_nodes = std::ranges::any_of(contents, has_nodes);
    const bool are_objects = std::ranges::any_of(contents, has_objects);
    if (!are_nodes && !are_objects) return;
    parallel_for(contents.size(), request_.jobs, [&](std::size_t i) {
      if (are_nodes) contents[i].values = read.values(alone_[i]);
      if (!are_objects) return;
      for (const FileId file : files_of(alone_[i])) contents[i].needs.merge(read.needs(file));
    });
    JoinPlan joins = plan_joins(contents);
    result.not_compared = std::move(joins.not_compared);
    if (!named.empty()) join_named_files(inputs, named, contents, read, result);
    std::set<FileId> joined;
    for (const Join& join : joins.joins) {
      ScopePlan& plan = result.scopes.emplace_back(make_plan(config_.top));
      plan.files = files_of(join.files);
      plan.joined_nodes = join.nodes;
      plan.joined_objects = join.objects;
      joined.insert(join.files.begin(), join.files.end());
    }
    std::erase_if(alone_, [&](FileId file) { return joined.contains(file); });
  }

  /// Makes a scope of each remaining lone file, and one of the shared nodes if there are any.
  void add_lone_files(ScopePlans& result) const {
    if (alone_.empty()) return;
    std::vector<FileId> shared = everywhere_;
    if (!settles_workloads()) std::ranges::copy(top_nodes_, std::back_inserter(shared));
    sort_files(shared);
    result.scopes.reserve(result.scopes.size() + alone_.size() + 1);
    for (const FileId file : alone_) {
      ScopePlan& plan = result.scopes.emplace_back(make_plan(config_.top));
      plan.files = files_of(file);
      plan.runs_on_shared_nodes = true;
    }
    if (shared.empty()) return;
    result.scopes.push_back(make_plan(config_.top));
    result.scopes.back().files = shared;
    result.shared_nodes = std::move(shared);
  }

  static void sort_files(std::vector<FileId>& files) {
    std::ranges::sort(files);
    const auto repeated = std::ranges::unique(files);
    files.erase(repeated.begin(), repeated.end());
  }

  const Config& config_;
  const Request& request_;
  const SourceSet& sources_;
  const KustomizeFiles& kustomize_files_;
  const FileSystem& files_;
  bool has_globs_;
  bool joins_packages_ = false;        // packages are joined like walked files
  bool holds_objects_;                 // gpulint.yaml itself has content for rules
  std::vector<ScopePlan> configured_;  // as in config_.scopes
  ScopePlan top_;
  ScopePlan named_;
  std::vector<FileId> top_nodes_;
  std::vector<FileId> everywhere_;
  std::vector<FileId> alone_;
  std::map<FileId, std::vector<FileId>> members_;        // by topmost kustomization or release
  std::vector<FileId> walked_;                           // alone_ and the blank files
  std::map<FileId, std::string> places_;                 // InputFile::place if it is set
  std::map<std::size_t, std::vector<FileId>> rendered_;  // by InputFile::rendered_by
  std::set<FileId> joined_;  // by scopes of gpulint.yaml or of named files
};

}  // namespace

ScopePlans plan_scopes(const Config& config, const Request& request, const SourceSet& sources,
                       const std::vector<InputFile>& inputs, const KustomizeFiles& kustomize_files,
                       const FileSystem& files, const ContentReader& read_content) {
  return Planner(config, request, sources, kustomize_files, files).plan(inputs, read_content);
}

}  // namespace gpulint
