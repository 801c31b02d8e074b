#include "compiler/project/survey.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "compiler/flyte/python_entry.h"
#include "compiler/ir/yaml_string.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/settings.h"
#include "compiler/project/config_file.h"
#include "compiler/project/input_files.h"
#include "compiler/project/path_in_config.h"
#include "compiler/project/path_words.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

/// The files of one cluster, with sorted paths as in the project.
struct SurveyedCluster {
  std::string name;                    ///< Of the folder with its nodes; may be empty.
  std::vector<std::string> nodes;      ///< Files with nodes or node pools.
  std::vector<std::string> workloads;  ///< Manifests with pods that concern GPUs.
  std::vector<std::string> values;     ///< Values of one Flyte release, lowest layer first.
  /// Other values files, which may be of the same release or not.
  std::vector<std::string> other_values;
  FlyteChart chart = FlyteChart::unknown;
  FlyteVersion version = FlyteVersion::unknown;  ///< Unknown unless the files show it.
  std::vector<Provider> providers;               ///< Providers that the files show, each once.
};

/// What gpulint found in a folder.
struct Survey {
  SurveyedCluster whole;  ///< All files.
  /// If there are several clusters: each with the files near its nodes.
  std::vector<SurveyedCluster> clusters;
  bool are_together = true;    ///< False: the files do not show which workloads run on which nodes.
  bool has_templates = false;  ///< There are unrendered templates.
};

namespace fs = std::filesystem;
using flyte::LoadedRelease;

/// Longer lists of files are written as folders.
constexpr std::size_t max_files = 12;

[[nodiscard]] bool is_in(const FileId file, Node node) { return node.span().file == file; }

[[nodiscard]] bool has_gpu_workload(const Corpus& corpus, FileId file) {
  return std::ranges::any_of(corpus.workloads, [&](const Workload& workload) {
    return workload.origin == Workload::Origin::manifest && is_in(file, workload.object) &&
           gpu_relation(workload.pod) != GpuRelation::none;
  });
}

[[nodiscard]] bool has_python_task(const Scope& scope, FileId file) {
  return std::ranges::any_of(scope.settings.tasks, [&](Node task) {
    return is_in(file, task) && flyte::version_of_entry(task) != FlyteVersion::unknown;
  });
}

[[nodiscard]] bool declares_pools(const Corpus& corpus, FileId file) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return pool.source != NodePool::Source::kubelet && is_in(file, pool.node);
  });
}

struct ValuesFile {
  std::string path;
  FlyteChart chart = FlyteChart::unknown;
};

/// A `values.yaml` and one other file next to it are layers. With more files the layers are
/// unknown.
void choose_layers(std::vector<ValuesFile> files, SurveyedCluster& cluster) {
  if (files.empty()) return;
  const auto is_base = [](const ValuesFile& file) {
    return fs::path(file.path).stem() == "values";
  };
  std::ranges::stable_partition(files, is_base);
  const ValuesFile first = files.front();
  cluster.chart = first.chart;
  cluster.values.push_back(first.path);
  std::vector<std::string> beside;
  for (const ValuesFile& file : files) {
    if (file.path == first.path) continue;
    const bool is_layer = is_base(first) && file.chart == first.chart &&
                          fs::path(file.path).parent_path() == fs::path(first.path).parent_path();
    (is_layer ? beside : cluster.other_values).push_back(file.path);
  }
  if (beside.size() == 1) {
    cluster.values.push_back(beside.front());
  } else {
    std::ranges::copy(beside, std::back_inserter(cluster.other_values));
  }
}

/// Collects the files of the scopes of one cluster.
class Surveyor {
 public:
  explicit Surveyor(const SourceSet& sources) : sources_(sources) {}

  void add(const Scope& scope) {
    for (const FileId file : scope.files) {
      if (!seen_.insert(file).second) continue;
      const std::string& path = sources_.file(file).path();
      const bool has_nodes = declares_pools(scope.corpus, file);
      if (has_nodes) cluster_.nodes.push_back(path);
      // All files of a kustomization are workloads together.
      const bool is_part = !has_nodes && !scope.corpus.made.empty();
      const bool has_workload =
          has_gpu_workload(scope.corpus, file) || has_python_task(scope, file);
      if (is_part || has_workload) cluster_.workloads.push_back(path);
    }
    for (const flyte::Installation& installation : scope.flyte.installations) {
      add(installation.loaded);
    }
    const Provider provider = scope.corpus.cluster.provider;
    const bool is_new = std::ranges::find(cluster_.providers, provider) == cluster_.providers.end();
    if (provider != Provider::unknown && is_new) cluster_.providers.push_back(provider);
  }

  [[nodiscard]] SurveyedCluster conclude() && {
    for (auto* paths : {&cluster_.nodes, &cluster_.workloads}) std::ranges::sort(*paths);
    choose_layers(std::move(values_), cluster_);
    if (cluster_.chart == FlyteChart::core) cluster_.version = FlyteVersion::v1;
    if (!cluster_.nodes.empty()) {
      const fs::path folder = fs::path(cluster_.nodes.front()).parent_path();
      // The cluster of `clusters/x/nodes/a.yaml` is `x`.
      const bool is_inner = holds_machines(folder.filename().string()) && folder.has_parent_path();
      cluster_.name = (is_inner ? folder.parent_path() : folder).filename().string();
    }
    return std::move(cluster_);
  }

 private:
  void add(const LoadedRelease& loaded) {
    if (loaded.version_is_known && cluster_.version == FlyteVersion::unknown &&
        loaded.chart != FlyteChart::core) {
      cluster_.version = loaded.version;
    }
    if (loaded.source != LoadedRelease::Source::values || loaded.documents.empty()) return;
    const std::string& path = sources_.file(loaded.documents.front()->file).path();
    const bool is_known = std::ranges::find(values_, path, &ValuesFile::path) != values_.end();
    if (!is_known) values_.push_back({path, loaded.chart});
  }

  const SourceSet& sources_;
  SurveyedCluster cluster_;
  std::vector<ValuesFile> values_;
  std::set<FileId> seen_;
};

class Writer {
 public:
  Writer(const Survey& survey, const std::string& folder) : survey_(survey), folder_(folder) {}

  [[nodiscard]] std::string write() && {
    text_ =
        "# yaml-language-server: $schema=gpulint.schema.json\n"
        "# What gpulint cannot read from the other files. `gpulint schema >gpulint.schema.json`\n"
        "# writes the schema for your editor. Globs are relative to this file.\n";
    if (survey_.clusters.empty()) {
      write_cluster(survey_.whole);
    } else {
      write_scopes();
    }
    write_rest();
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string below(const std::string& path) const {
    Config config;
    config.folder = folder_;
    return path_in_config(disk(), config, path);
  }

  /// A glob for files of one kind, and the files that it was made for.
  struct Pattern {
    std::string glob;
    std::vector<std::string> files;
  };

  /// Patterns that also match future files. `glob_of` takes a path relative to the new
  /// gpulint.yaml.
  template <class GlobOf>
  [[nodiscard]] std::vector<Pattern> patterns(const std::vector<std::string>& paths,
                                              GlobOf glob_of) const {
    std::vector<Pattern> result;
    for (const std::string& path : paths) {
      std::string name = below(path);
      const std::string glob = name.starts_with("../") ? literal_glob(name) : glob_of(name);
      auto known = std::ranges::find(result, glob, &Pattern::glob);
      if (known == result.end()) known = result.insert(known, {glob, {}});
      known->files.push_back(std::move(name));
    }
    std::ranges::sort(result, {}, &Pattern::glob);
    return result;
  }

  /// Files of the tree that are not of this cluster.
  [[nodiscard]] std::set<std::string> other_files(const SurveyedCluster& cluster) const {
    std::set<std::string> files;
    const auto all = [](const SurveyedCluster& of, auto visit) {
      for (const auto* paths : {&of.nodes, &of.workloads, &of.values, &of.other_values}) {
        std::ranges::for_each(*paths, visit);
      }
    };
    all(survey_.whole, [&](const std::string& path) { files.insert(below(path)); });
    all(cluster, [&](const std::string& path) { files.erase(below(path)); });
    return files;
  }

  /// A glob for the folder of a file, or for the file alone if the folder also has other clusters.
  [[nodiscard]] static std::string glob_beside(const std::string& name,
                                               const std::set<std::string>& others) {
    const std::string folder = folder_of(name);
    const bool is_shared = std::ranges::any_of(
        others, [&](const std::string& other) { return folder_of(other) == folder; });
    if (is_shared) return literal_glob(name);
    if (!folder.empty()) return literal_glob(folder) + "/*";
    return "*" + fs::path(name).extension().string();
  }

  [[nodiscard]] std::vector<Pattern> node_patterns(const SurveyedCluster& cluster) const {
    const std::set<std::string> others = other_files(cluster);
    return patterns(cluster.nodes, [&](const std::string& name) {
      return folder_of(name).empty() ? literal_glob(name) : glob_beside(name, others);
    });
  }

  /// Globs for the outermost folders without files of other clusters.
  [[nodiscard]] std::vector<Pattern> workload_patterns(const SurveyedCluster& cluster) const {
    const std::set<std::string> others = other_files(cluster);
    return patterns(cluster.workloads, [&](const std::string& name) {
      for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
        const std::string folder = name.substr(0, at + 1);
        const auto next = others.lower_bound(folder);
        if (next == others.end() || !next->starts_with(folder)) return literal_glob(folder) + "**";
      }
      return glob_beside(name, others);
    });
  }

  /// `- "teams/**"  # teams/nlp/app.yaml and 3 more`.
  void write_patterns(std::string_view before, const std::vector<Pattern>& patterns) {
    constexpr std::size_t most_names = 3;
    for (const Pattern& pattern : patterns) {
      text_ += fmt::format("{}- {}", before, yaml_string(pattern.glob));
      const std::size_t more = pattern.files.size() - std::min(pattern.files.size(), most_names);
      std::vector<std::string> names;
      for (const std::string& name : pattern.files | std::views::take(most_names)) {
        names.push_back(yaml_string(name));
      }
      if (literal_glob(pattern.files.front()) != pattern.glob) {
        text_ += fmt::format("  # {}", fmt::join(names, ", "));
        if (more > 0) text_ += fmt::format(" and {} more", more);
      }
      text_ += '\n';
    }
  }

  /// The paths as globs, or globs for their folders if there are many.
  [[nodiscard]] std::vector<std::string> globs(const std::vector<std::string>& paths) const {
    std::vector<std::string> result;
    for (const std::string& path : paths) {
      const std::string name = below(path);
      if (paths.size() <= max_files) {
        result.push_back(literal_glob(name));
        continue;
      }
      const std::string parent = fs::path(name).parent_path().generic_string();
      result.push_back(parent.empty() ? "*" : literal_glob(parent) + "/*");
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
  }

  /// A glob that matches only this name.
  [[nodiscard]] static std::string literal_glob(std::string_view name) {
    std::string glob;
    for (const char c : name) {
      const bool is_special = c == '*' || c == '?' || c == '[';
      glob += is_special ? fmt::format("[{}]", c) : std::string(1, c);
    }
    return glob;
  }

  void write_cluster(const SurveyedCluster& cluster) {
    write_flyte(cluster);
    write_provider(cluster);
    if (!survey_.are_together) {
      text_ +=
          "\n# The files do not show which workloads run on which nodes. If they are one cluster,\n"
          "# uncomment the lines below. If they are several clusters, use `scopes`.\n";
    }
    write_files("nodes", "Files with the nodes of this cluster.", "cluster/nodes*.yaml",
                cluster.nodes, node_patterns(cluster));
    write_files("workloads", "Manifests of its workloads.", "rendered/**", cluster.workloads,
                workload_patterns(cluster));
  }

  void write_scopes() {
    text_ +=
        "\n# Clusters by the folders of their nodes. gpulint checks each by itself.\nscopes:\n";
    std::set<std::string> names;
    for (const SurveyedCluster& cluster : survey_.clusters) {
      std::string name = cluster.name.empty() ? "cluster" : cluster.name;
      for (int number = 2; !names.insert(name).second; ++number) {
        name = fmt::format("{}-{}", cluster.name.empty() ? "cluster" : cluster.name, number);
      }
      write_scope(name, cluster);
    }
  }

  void write_scope(const std::string& name, const SurveyedCluster& cluster) {
    text_ += fmt::format("- name: {}\n", yaml_string(name));
    if (cluster.providers.size() == 1) {
      text_ += fmt::format("  provider: {}\n", provider_name(cluster.providers.front()));
    }
    text_ += "  nodes:\n";
    write_patterns("  ", node_patterns(cluster));
    if (!cluster.workloads.empty()) text_ += "  workloads:\n";
    write_patterns("  ", workload_patterns(cluster));
    if (cluster.values.empty()) return;
    text_ += "  flyte:\n";
    if (cluster.chart != FlyteChart::unknown) {
      text_ += fmt::format("    chart: {}\n", flyte::chart_name(cluster.chart));
    }
    std::vector<std::string> values;
    for (const std::string& path : cluster.values) values.push_back(below(path));
    write_list("    values", values);
  }

  void write_list(std::string_view key, const std::vector<std::string>& items) {
    text_ += fmt::format("{}:\n", key);
    const std::string indent(key.find_first_not_of(' '), ' ');
    for (const std::string& item : items) {
      text_ += fmt::format("{}- {}\n", indent, yaml_string(item));
    }
  }

  void write_flyte(const SurveyedCluster& cluster) {
    text_ += "\n# The Flyte release: its version, its chart, and its values, lowest layer first.\n";
    if (cluster.values.empty()) {
      text_ += "# flyte: {version: 1, chart: flyte-core, values: [values.yaml]}\n";
      return;
    }
    text_ += "flyte:\n";
    text_ += cluster.version == FlyteVersion::unknown
                 ? "  # version: 1\n"
                 : fmt::format("  version: {}\n", cluster.version == FlyteVersion::v2 ? 2 : 1);
    if (cluster.chart != FlyteChart::unknown) {
      text_ += fmt::format("  chart: {}\n", flyte::chart_name(cluster.chart));
    }
    text_ += "  values:\n";
    for (const std::string& path : cluster.values) {
      text_ += fmt::format("  - {}\n", yaml_string(below(path)));
    }
    for (const std::string& path : cluster.other_values) {
      text_ += fmt::format("  # - {}\n", double_quoted(below(path)));
    }
  }

  void write_provider(const SurveyedCluster& cluster) {
    text_ +=
        "\n# gke, eks, aks or generic: decides which labels, taints and admission plugins exist.\n";
    if (cluster.providers.size() == 1) {
      text_ += fmt::format("provider: {}\n", provider_name(cluster.providers.front()));
      return;
    }
    for (const Provider provider : cluster.providers) {
      text_ += fmt::format("# Some files are for {}.\n", provider_name(provider));
    }
    if (cluster.providers.size() > 1) text_ += "# Use `scopes` for several clusters.\n";
    text_ += "# provider: gke\n";
  }

  void write_files(std::string_view key, std::string_view help, std::string_view example,
                   const std::vector<std::string>& paths, const std::vector<Pattern>& patterns) {
    text_ += fmt::format("\n# {}\n", help);
    if (paths.empty()) {
      text_ += fmt::format("# {}: [{}]\n", key, example);
      return;
    }
    const std::string_view mark = survey_.are_together ? "" : "# ";
    text_ += fmt::format("{}{}:\n", mark, key);
    if (survey_.are_together) return write_patterns("", patterns);
    for (const std::string& glob : globs(paths)) {
      text_ += fmt::format("{}- {}\n", mark, yaml_string(glob));
    }
  }

  void write_rest() {
    if (survey_.has_templates) {
      text_ +=
          "\n# Helm templates are not manifests until Helm renders them.\n"
          "exclude: [\"**/templates/**\"]\n";
    }
    text_ +=
        "\n# Facts about the cluster.\n"
        "# cluster: {kubernetes: \"1.31\", migStrategy: mixed, admissionPlugins: "
        "[ExtendedResourceToleration]}\n"
        "\n# Tasks to check. If you declare none, gpulint assumes one for each kind of GPU.\n"
        "# tasks:\n"
        "# - name: train\n"
        "#   requests: {gpu: \"1\"}\n"
        "#   accelerator: A100\n"
        "\n# rules: {ignore: [unguarded-gpu-nodes], severity: {legacy-node-label: error}}\n";
  }

  const Survey& survey_;
  const std::string& folder_;
  std::string text_;
};

[[nodiscard]] Survey survey(const Project& project) {
  Survey result;
  Surveyor whole(project.sources);
  for (const Scope& scope : project.scopes) {
    whole.add(scope);
    for (const Document* document : scope.corpus.written) {
      const std::string& path = project.sources.file(document->file).path();
      const bool is_source = document->is_template && path.find("templates/") != std::string::npos;
      result.has_templates = result.has_templates || is_source;
    }
    if (scope.joined_nodes.empty()) continue;
    Surveyor surveyor(project.sources);
    surveyor.add(scope);
    result.clusters.push_back(std::move(surveyor).conclude());
  }
  result.whole = std::move(whole).conclude();
  const bool has_apart = std::ranges::any_of(project.not_compared, [](const NotCompared& apart) {
    return apart.kind == NotCompared::Kind::clusters;
  });
  if (result.clusters.size() == 1 && !has_apart) result.clusters.clear();
  result.are_together = !has_apart;
  return result;
}

}  // namespace

ProposedConfig propose_config(const Project& project, const std::string& target,
                              const std::string& folder) {
  const Survey found = survey(project);
  ProposedConfig proposed{.text = Writer(found, folder).write(),
                          .nodes = found.whole.nodes.size(),
                          .workloads = found.whole.workloads.size(),
                          .values = found.whole.values.size(),
                          .error = {}};
  const SourceFile file(0, target, proposed.text);
  const ConfigFile config = read_config_file(file);
  if (!config.errors.empty()) proposed.error = Error{config.errors.front()};
  return proposed;
}

}  // namespace gpulint
