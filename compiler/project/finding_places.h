#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/stream_origins.h"

namespace gpulint {

struct Project;
struct Request;

/// The Kubernetes object that a finding is about.
struct FindingObject {
  std::string api_version;
  std::string kind;  ///< Empty if the finding is not in an object.
  std::string name;
  std::string name_space;  ///< Empty for cluster-scoped objects.
  std::string uid;         ///< Set in objects that were read from a cluster.
};

/// The objects and original files of findings.
struct FindingPlaces {
  /// For each finding its object. An object without a namespace is in `default`, unless its kind is
  /// cluster-scoped.
  std::vector<FindingObject> objects;
  std::vector<StreamOrigin> origins;  ///< The files that a piped stream was made of.
  /// For each finding the object of standard input that it is in; null if there is none.
  std::vector<Node> piped;
};

[[nodiscard]] FindingPlaces places_of_findings(const Project& project, const Request& request,
                                               const std::vector<Diagnostic>& findings);

}  // namespace gpulint
