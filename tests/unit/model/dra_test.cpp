#include "compiler/model/dra/dra.h"

#include <catch2/catch.hpp>

#include "compiler/model/read_pod.h"
#include "yaml.h"

namespace gpulint {
namespace {

using test::Yaml;
using DraKind = DraProblem::Kind;

[[nodiscard]] std::string claim(const std::string& version, const std::string& request) {
  return "apiVersion: resource.k8s.io/" + version +
         "\nkind: ResourceClaim\nspec: {devices: {requests: [" + request + "]}}\n";
}

[[nodiscard]] std::vector<DraKind> request_problems(const std::string& text) {
  const Yaml yaml(text);
  std::vector<DraKind> kinds;
  for (const DraProblem& problem : check_device_requests(find_objects(yaml.root()).front())) {
    kinds.push_back(problem.kind);
  }
  return kinds;
}

TEST_CASE("each version of a claim has its own place for the class") {
  const std::string plain = "{name: gpu, deviceClassName: gpu.nvidia.com}";
  const std::string wrapped = "{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}";
  const std::string list = "{name: gpu, firstAvailable: [{deviceClassName: mig.nvidia.com}]}";
  CHECK(request_problems(claim("v1", wrapped)).empty());
  CHECK(request_problems(claim("v1", list)).empty());
  CHECK(request_problems(claim("v1beta2", plain)) == std::vector{DraKind::misplaced_class});
  CHECK(request_problems(claim("v1beta1", plain)).empty());
  CHECK(request_problems(claim("v1beta1", wrapped)) == std::vector{DraKind::misplaced_class});
  CHECK(request_problems(claim("v1", "{name: gpu}")) == std::vector{DraKind::no_class});
  CHECK(request_problems(claim("v1", "{name: gpu, exactly: $X}")).empty());
  CHECK(request_problems(claim("v9", plain)).empty());
}

TEST_CASE("the classes of claims and templates are read") {
  const Yaml yaml(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nspec:\n  spec:\n"
      "    devices:\n      requests:\n      - name: a\n        exactly: {deviceClassName: x}\n"
      "      - name: b\n        firstAvailable: [{deviceClassName: y}, {deviceClassName: z}]\n");
  const auto requests = read_device_requests(find_objects(yaml.root()).front());
  REQUIRE(requests.size() == 3);
  CHECK(requests[0].device_class.value() == "x");
  CHECK(requests[2].name == "b");
  CHECK(requests[2].device_class.value() == "z");
}

[[nodiscard]] std::vector<std::pair<DraKind, std::string>> pod_problems(const std::string& text) {
  const Yaml yaml(text);
  std::vector<std::pair<DraKind, std::string>> found;
  for (const DraProblem& problem : check_pod_claims(read_pod_spec(yaml.root()))) {
    found.emplace_back(problem.kind, problem.detail);
  }
  return found;
}

using Problems = std::vector<std::pair<DraKind, std::string>>;

TEST_CASE("a pod's claims are declared and used") {
  const std::string declared = "resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]\n";
  const auto using_claim = [](const std::string& name) {
    return "containers: [{name: c, resources: {claims: [{name: " + name + "}]}}]\n";
  };
  CHECK(pod_problems(declared + using_claim("gpu")).empty());
  CHECK(pod_problems(declared + using_claim("gpus")) ==
        Problems{{DraKind::undeclared_claim, "gpus"}, {DraKind::unused_claim, "gpu"}});
  CHECK(pod_problems(using_claim("gpu")) == Problems{{DraKind::undeclared_claim, "gpu"}});
  CHECK(pod_problems(declared + using_claim("$NAME")).empty());
  CHECK(pod_problems("resourceClaims: $CLAIMS\n" + using_claim("gpu")).empty());
  CHECK(pod_problems("resourceClaims: [{name: gpu}]\n" + using_claim("gpu")) ==
        Problems{{DraKind::claim_source, ""}});
  CHECK(pod_problems(declared + "containers: [{name: c, resources: {claims: [{name: gpu}], "
                                "limits: {nvidia.com/gpu: 1}}}]\n") ==
        Problems{{DraKind::gpu_twice, "nvidia.com/gpu"}});
}

TEST_CASE("versions and classes are those of the facts") {
  CHECK(find_dra_version("resource.k8s.io/v1beta1")->removed == "1.38");
  CHECK(find_dra_version("resource.k8s.io/v1")->deprecated.empty());
  CHECK(find_dra_version("apps/v1") == nullptr);
  CHECK(dra_device_classes().front().name == "gpu.nvidia.com");
  CHECK(dra_device_classes().front().extended_resource == "nvidia.com/gpu");
}

}  // namespace
}  // namespace gpulint
