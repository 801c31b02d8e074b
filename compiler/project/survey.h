#pragma once

#include <string>
#include <vector>

#include "compiler/model/settings.h"
#include "compiler/project/project.h"

namespace gpulint {

/// Files of one cluster. Paths as the project has them, in order.
struct SurveyedCluster {
  std::string name;                    ///< Of the folder that its nodes stand in; may be empty.
  std::vector<std::string> nodes;      ///< Files with nodes or node pools.
  std::vector<std::string> workloads;  ///< Manifests with pods that concern GPUs.
  std::vector<std::string> values;     ///< Values of one Flyte release, lowest layer first.
  /// Values files beside them, of which nothing tells whether they belong to the same release.
  std::vector<std::string> other_values;
  FlyteChart chart = FlyteChart::unknown;
  FlyteVersion version = FlyteVersion::unknown;  ///< Unknown unless the files show it.
  std::vector<Provider> providers;               ///< Those that files give evidence of, each once.
};

/// What the files of a folder are to gpulint.
struct Survey {
  SurveyedCluster whole;  ///< All of them.
  /// Where there are several clusters: each with what stands near its nodes.
  std::vector<SurveyedCluster> clusters;
  bool are_together = true;    ///< False: nothing shows which workloads run on which of the nodes.
  bool has_templates = false;  ///< Unrendered ones.
};

/// The project must have been loaded from folders, without a configuration.
[[nodiscard]] Survey survey(const Project& project);

/// A commented gpulint.yaml that says so; `folder` is where it will lie.
[[nodiscard]] std::string config_text(const Survey& survey, const std::string& folder);

}  // namespace gpulint
