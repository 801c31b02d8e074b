#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/stream_origins.h"

namespace gpulint {

struct Project;
struct Request;

/// The Kubernetes object that a finding stands in.
struct JudgedObject {
  std::string api_version;
  std::string kind;  ///< Empty where it stands in none.
  std::string name;
  std::string name_space;  ///< Empty for what is in none.
  std::string uid;         ///< Of what a cluster has given back.
};

/// Where findings stand, beside their lines.
struct FindingPlaces {
  /// For each finding its object. An object without a namespace is in `default`, unless its kind is
  /// one that is in none.
  std::vector<JudgedObject> objects;
  std::vector<StreamOrigin> origins;  ///< What their places in a piped stream were made of.
  /// For each finding the object of standard input that it is in: nothing where it is in none.
  std::vector<Node> piped;
};

[[nodiscard]] FindingPlaces places_of_findings(const Project& project, const Request& request,
                                               const std::vector<Diagnostic>& findings);

}  // namespace gpulint
