#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/karpenter_machines.h"

namespace gpulint {
namespace {

using Values = KarpenterRequirement::Values;

constexpr const char* family = "karpenter.k8s.aws/instance-family";
constexpr const char* type = "node.kubernetes.io/instance-type";

/// One requirement after the other: label, operator, values.
struct Wanted {
  std::string key;
  std::string op;
  Values values;
};

[[nodiscard]] KarpenterRequirements requirements(const std::vector<Wanted>& all) {
  KarpenterRequirements made;
  for (const Wanted& one : all) made.add(one.key, KarpenterRequirement(one.op, one.values));
  return made;
}

[[nodiscard]] std::set<std::string> types(const std::vector<Wanted>& all) {
  std::set<std::string> names;
  for (const Machine* machine : machines_left(requirements(all)).machines) {
    names.emplace(machine->type);
  }
  return names;
}

TEST_CASE("requirements leave the machines that Karpenter would choose among") {
  using Types = std::set<std::string>;
  CHECK(types({{family, "In", {"p4d", "p4de"}}}) == Types{"p4d.24xlarge", "p4de.24xlarge"});
  CHECK(types({{family, "In", {"g4dn"}}, {"karpenter.k8s.aws/instance-gpu-count", "Gt", {"1"}}}) ==
        Types{"g4dn.12xlarge", "g4dn.metal"});
  CHECK(types({{family, "In", {"g5"}}, {"karpenter.k8s.aws/instance-cpu", "Lt", {"9"}}}) ==
        Types{"g5.xlarge", "g5.2xlarge"});
  CHECK(types({{"karpenter.k8s.aws/instance-gpu-name", "In", {"t4g"}},
               {"karpenter.k8s.aws/instance-size", "In", {"xlarge"}}}) ==
        Types{"g5g.xlarge", "g6f.xlarge"});  // of fractions nothing is known
  CHECK(types({{family, "In", {"g5", "g5g"}},
               {"kubernetes.io/arch", "In", {"arm64"}},
               {"karpenter.k8s.aws/instance-size", "In", {"metal"}}}) == Types{"g5g.metal"});
  CHECK(types({{family, "In", {"g5"}}, {"kubernetes.io/arch", "In", {"arm64"}}}).empty());
  // As EKS Auto Mode names it; Azure's types whatever their letter case.
  CHECK(types({{"eks.amazonaws.com/instance-family", "In", {"p4d"}}}) == Types{"p4d.24xlarge"});
  CHECK(types({{type, "In", {"Standard_NC24ads_A100_v4"}},
               {"kubernetes.io/arch", "In", {"amd64"}}}) == Types{"standard_nc24ads_a100_v4"});
  // A label that machines without GPUs lack.
  CHECK(types({{family, "In", {"m5"}}, {"karpenter.k8s.aws/instance-gpu-count", "Gt", {"0"}}})
            .empty());
  CHECK(types({{type, "In", {"m5.large"}},
               {"karpenter.k8s.aws/instance-gpu-count", "DoesNotExist", {}}}) == Types{"m5.large"});
}

TEST_CASE("what is yet to come is left open") {
  const auto closed = [](const std::vector<Wanted>& all) {
    return machines_left(requirements(all)).is_closed;
  };
  CHECK(closed({{type, "In", {"p4d.24xlarge"}}}));
  CHECK(closed({{family, "In", {"g5", "g6"}}}));
  CHECK(closed({{"karpenter.k8s.aws/instance-gpu-name", "In", {"a10g"}}}));
  CHECK(closed({{type, "In", {"Standard_NC24ads_A100_v4"}}}));
  CHECK_FALSE(closed({{type, "In", {"p4d.24xlarge", "p9.large"}}}));
  CHECK_FALSE(closed({{type, "NotIn", {"p4d.24xlarge"}}}));
  CHECK_FALSE(closed({{family, "In", {"g5", "g99"}}}));
  CHECK_FALSE(closed({{"karpenter.k8s.aws/instance-category", "In", {"g"}}}));
  // p3 has it, too, and the table has that family no more.
  CHECK_FALSE(closed({{"karpenter.k8s.aws/instance-gpu-name", "In", {"v100"}}}));
}

TEST_CASE("a machine tells the most that a pod gets of it, or leaves it open") {
  const auto most = [](std::string_view name, std::string_view resource) {
    return find_machine(name)->most(resource);
  };
  CHECK(most("g4dn.4xlarge", "cpu") == 16'000);
  CHECK(most("g4dn.xlarge", "memory") == std::int64_t{16} << 30);
  CHECK(most("g4ad.2xlarge", "nvidia.com/gpu") == 0);
  CHECK(most("g4ad.2xlarge", "nvidia.com/mig-1g.5gb") == 0);
  CHECK(most("m5.large", "amd.com/gpu") == 0);
  CHECK(most("trn1.2xlarge", "nvidia.com/gpu") == 0);
  // Partitions and shares have names of their own; other devices are nobody's here.
  CHECK_FALSE(most("p4d.24xlarge", "nvidia.com/mig-1g.5gb").has_value());
  CHECK_FALSE(most("g4dn.xlarge", "nvidia.com/gpu.shared").has_value());
  CHECK_FALSE(most("p4d.24xlarge", "vpc.amazonaws.com/efa").has_value());
  CHECK_FALSE(most("g6f.xlarge", "nvidia.com/gpu").has_value());
  CHECK_FALSE(most("a2-highgpu-1g", "cpu").has_value());
}

TEST_CASE("machines tell the labels of their nodes") {
  const auto machines = machines_of_family("g5");
  CHECK(values_of(machines, "kubernetes.io/arch") == std::set<std::string>{"amd64"});
  CHECK(values_of(machines, "karpenter.k8s.aws/instance-gpu-count") ==
        std::set<std::string>{"1", "4", "8"});
  CHECK(values_of(machines_of_family("m5"), "karpenter.k8s.aws/instance-gpu-name") ==
        std::set<std::string>{""});
  CHECK_FALSE(values_of(machines, "karpenter.k8s.aws/instance-network-bandwidth").has_value());
  CHECK_FALSE(
      values_of(machines_of_family("g6f"), "karpenter.k8s.aws/instance-gpu-name").has_value());
}

}  // namespace
}  // namespace gpulint
