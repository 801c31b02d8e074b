#pragma once

#include <string>

namespace gpulint::test {

/// Nodes of one provider, and workloads that ask for what such nodes have, or nearly.
struct RandomCluster {
  std::string nodes;
  std::string workloads;
};

/// The same for the same seed. Of the workloads some fit, some fit nowhere, some would be refused;
/// which, the generator does not know.
[[nodiscard]] RandomCluster make_random_cluster(unsigned seed);

}  // namespace gpulint::test
