#include "compiler/driver/survey.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/yaml_string.h"
#include "compiler/model/provider_catalog.h"
#include "compiler/schedule/gpu_concern.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;
using flyte::LoadedRelease;

/// Longer lists of files are told by their folders.
constexpr std::size_t max_files = 12;

[[nodiscard]] bool has_gpu_workload(const Corpus& corpus) {
  return std::ranges::any_of(corpus.workloads, [](const Workload& workload) {
    return workload.origin == Workload::Origin::manifest &&
           gpu_concern(workload.pod) != GpuConcern::none;
  });
}

[[nodiscard]] bool declares_pools(const Corpus& corpus) {
  return std::ranges::any_of(corpus.cluster.pools, [](const NodePool& pool) {
    return pool.source != NodePool::Source::kubelet;
  });
}

struct ValuesFile {
  std::string path;
  FlyteChart chart = FlyteChart::unknown;
};

/// A file called `values.yaml` and one other beside it are layers; of more, nobody knows which.
void choose_layers(std::vector<ValuesFile> files, Survey& survey) {
  if (files.empty()) return;
  const auto is_base = [](const ValuesFile& file) {
    return fs::path(file.path).stem() == "values";
  };
  std::ranges::stable_partition(files, is_base);
  const ValuesFile first = files.front();
  survey.chart = first.chart;
  survey.values.push_back(first.path);
  std::vector<std::string> beside;
  for (const ValuesFile& file : files) {
    if (file.path == first.path) continue;
    const bool is_layer = is_base(first) && file.chart == first.chart &&
                          fs::path(file.path).parent_path() == fs::path(first.path).parent_path();
    (is_layer ? beside : survey.other_values).push_back(file.path);
  }
  if (beside.size() == 1) {
    survey.values.push_back(beside.front());
  } else {
    std::ranges::copy(beside, std::back_inserter(survey.other_values));
  }
}

class Writer {
 public:
  Writer(const Survey& survey, const std::string& folder) : survey_(survey), folder_(folder) {}

  [[nodiscard]] std::string write() && {
    text_ =
        "# yaml-language-server: $schema=gpulint.schema.json\n"
        "# What gpulint cannot read from the files alone; `gpulint schema >gpulint.schema.json`\n"
        "# writes the schema for your editor. Globs are relative to this file.\n";
    write_flyte();
    write_provider();
    write_files("nodes", "Files with the nodes of this cluster.", "cluster/nodes*.yaml",
                survey_.nodes);
    write_files("workloads", "Manifests that run on it.", "rendered/**", survey_.workloads);
    write_rest();
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string below(const std::string& path) const {
    std::error_code error;
    const fs::path relative = fs::proximate(path, folder_.empty() ? "." : folder_, error);
    return error ? path : relative.generic_string();
  }

  /// The paths as globs: as they are, or the folders where they are many.
  [[nodiscard]] std::vector<std::string> globs(const std::vector<std::string>& paths) const {
    std::vector<std::string> result;
    for (const std::string& path : paths) {
      const std::string name = below(path);
      const bool is_plain = name.find_first_of("*?[]{}\\") == std::string::npos;
      if (is_plain && paths.size() <= max_files) {
        result.push_back(name);
        continue;
      }
      const std::string parent = fs::path(name).parent_path().generic_string();
      result.push_back(parent.empty() ? "*" : parent + "/*");
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
  }

  void write_flyte() {
    text_ += "\n# The Flyte release: its version, its chart, and its values, lowest layer first.\n";
    if (survey_.values.empty()) {
      text_ += "# flyte: {version: 1, chart: flyte-core, values: [values.yaml]}\n";
      return;
    }
    text_ += "flyte:\n";
    text_ += survey_.version == FlyteVersion::unknown
                 ? "  # version: 1\n"
                 : fmt::format("  version: {}\n", survey_.version == FlyteVersion::v2 ? 2 : 1);
    if (survey_.chart != FlyteChart::unknown) {
      text_ += fmt::format("  chart: {}\n",
                           survey_.chart == FlyteChart::core ? "flyte-core" : "flyte-binary");
    }
    text_ += "  values:\n";
    for (const std::string& path : survey_.values) {
      text_ += fmt::format("  - {}\n", yaml_string(below(path)));
    }
    for (const std::string& path : survey_.other_values) {
      text_ += fmt::format("  # - {}\n", double_quoted(below(path)));
    }
  }

  void write_provider() {
    text_ +=
        "\n# gke, eks, aks or generic: which labels, taints and admission plugins there are.\n";
    if (survey_.providers.size() == 1) {
      text_ += fmt::format("provider: {}\n", provider_name(survey_.providers.front()));
      return;
    }
    for (const Provider provider : survey_.providers) {
      text_ += fmt::format("# Some files speak of {}.\n", provider_name(provider));
    }
    if (survey_.providers.size() > 1) text_ += "# Several clusters are kept apart by `scopes`.\n";
    text_ += "# provider: gke\n";
  }

  void write_files(std::string_view key, std::string_view help, std::string_view example,
                   const std::vector<std::string>& paths) {
    text_ += fmt::format("\n# {}\n", help);
    if (paths.empty()) {
      text_ += fmt::format("# {}: [{}]\n", key, example);
      return;
    }
    text_ += fmt::format("{}:\n", key);
    for (const std::string& glob : globs(paths)) text_ += fmt::format("- {}\n", yaml_string(glob));
  }

  void write_rest() {
    if (survey_.has_templates) {
      text_ +=
          "\n# Helm's sources are no manifests until they are rendered.\n"
          "exclude: [\"**/templates/**\"]\n";
    }
    text_ +=
        "\n# What the cluster is known to run.\n"
        "# cluster: {kubernetes: \"1.31\", migStrategy: mixed, admissionPlugins: "
        "[ExtendedResourceToleration]}\n"
        "\n# Tasks that must find a node; without any, one for each kind of GPU is assumed.\n"
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

}  // namespace

Survey survey(const Project& project) {
  Survey result;
  std::vector<ValuesFile> values;
  for (const Scope& scope : project.scopes) {
    if (scope.files.size() != 1) continue;
    const std::string& path = project.sources.file(scope.files.front()).path();
    if (declares_pools(scope.corpus)) result.nodes.push_back(path);
    if (has_gpu_workload(scope.corpus)) result.workloads.push_back(path);
    for (const Document* document : scope.corpus.documents) {
      const bool is_source = document->is_template && path.find("templates/") != std::string::npos;
      result.has_templates = result.has_templates || is_source;
    }
    for (const flyte::Installation& installation : scope.flyte.installations) {
      const LoadedRelease& loaded = installation.loaded;
      if (loaded.version_is_known && result.version == FlyteVersion::unknown &&
          loaded.chart != FlyteChart::core) {
        result.version = loaded.version;
      }
      if (loaded.source != LoadedRelease::Source::values) continue;
      values.push_back({path, loaded.chart});
      break;
    }
    const Provider provider = scope.corpus.cluster.provider;
    const bool is_new = std::ranges::find(result.providers, provider) == result.providers.end();
    if (provider != Provider::unknown && is_new) result.providers.push_back(provider);
  }
  choose_layers(std::move(values), result);
  if (result.chart == FlyteChart::core) result.version = FlyteVersion::v1;
  return result;
}

std::string config_text(const Survey& survey, const std::string& folder) {
  return Writer(survey, folder).write();
}

}  // namespace gpulint
