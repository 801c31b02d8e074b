// Messages from public threads (testdata/events/SOURCES.tsv). What each says was read from its text
// by a person.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/messages/summary.h"

namespace gpulint::test {
namespace {

struct Real {
  const char* file;
  std::vector<std::string> says;
};

[[nodiscard]] std::vector<Real> scheduler_texts() {
  return {
      {"scheduler-taint-without-value",
       {"kube-scheduler of 1", "  1 untolerated-taint gpu", "  1 preemption"}},
      {"describe-pod-insufficient",
       {"kube-scheduler of 1 about default/triton-inference-server-5b6c7f889c-f54c6",
        "  1 insufficient-resource nvidia.com/gpu", "  1 preemption"}},
      {"events-table-unreachable",
       {"kube-scheduler of 1 about keeper-577cccc7db-s4r4v",
        "  1 untolerated-taint node.kubernetes.io/unreachable", "  1 preemption",
        "kube-scheduler of 1 about keeper-executor-7d5c457795-m542v",
        "  1 untolerated-taint node.kubernetes.io/unreachable", "  1 preemption"}},
      {"scheduler-extender-words",
       {"kube-scheduler of 2", "  1 insufficient-resource memory", "  1 other",
        "  1 node-affinity"}},
      {"describe-row-unschedulable",
       {"kube-scheduler of 2", "  1 insufficient-resource nvidia.com/gpu", "  1 unschedulable"}},
      {"title-in-lower-case", {"kube-scheduler of 3", "  3 insufficient-resource nvidia.com/gpu"}},
      {"gpu-memory-of-a-share",
       {"kube-scheduler of 2", "  2 insufficient-resource aliyun.com/gpu-mem"}},
      {"gpu-memory-of-one-device",
       {"kube-scheduler of 3", "  1 other", "  2 insufficient-resource aliyun.com/gpu-mem"}},
      {"taint-with-a-comma-behind",
       {"kube-scheduler of 1", "  1 untolerated-taint node-role.kubernetes.io/master"}},
      {"notebook-with-five-reasons",
       {"kube-scheduler of 13", "  2 untolerated-taint node-role.kubernetes.io/master",
        "  2 unschedulable", "  3 node-affinity",
        "  3 untolerated-taint node-role.kubernetes.io/infra",
        "  3 untolerated-taint nvidia.com/gpu"}},
      {"taints-not-named", {"kube-scheduler of 2", "  2 untolerated-taint"}},
      {"predicates-of-1-7", {"kube-scheduler", "  1 host-ports", "  1 untolerated-taint"}},
      {"describe-event-of-1-8",
       {"kube-scheduler about default/resource-test-bdfcd9f5-g8jq5",
        "  19 insufficient-resource cpu", "  19 insufficient-resource memory",
        "  10 untolerated-taint"}},
      {"three-resources",
       {"kube-scheduler of 8", "  8 insufficient-resource cpu", "  8 insufficient-resource memory",
        "  8 insufficient-resource nvidia.com/gpu"}},
      {"console-without-counts", {"kube-scheduler", "  insufficient-resource nvidia.com/gpu"}},
      {"log-of-the-scheduler",
       {"kube-scheduler of 4 about privatemodel/qwen2-5-0-5b-5d6b69597d-5bpm5",
        "  4 insufficient-resource nvidia.com/gpu.memory", "  4 preemption"}},
  };
}

[[nodiscard]] std::vector<Real> autoscaler_texts() {
  return {
      {"autoscaler-event-in-log",
       {"cluster-autoscaler about default/gpu3-5vrjp", "  6 insufficient-resource nvidia.com/gpu"}},
      {"autoscaler-title", {"cluster-autoscaler", "  2 insufficient-resource nvidia.com/gpu"}},
      {"autoscaler-oldest-log",
       {"cluster-autoscaler about default/simple-gpu-test-6f48d9555d-l9822",
        "  insufficient-resource nvidia.com/gpu",
        "cluster-autoscaler about default/simple-gpu-test-6f48d9555d-l9822", "  no-machine"}},
      {"autoscaler-log-resource",
       {"cluster-autoscaler about fcd-tv0b9cba2b-c426-4c28-9975-17d68365c8c5-tzb58",
        "  insufficient-resource smarter-devices/fuse "
        "@eks-Xtra_Large_chipfactory20221020161207768400000001-d4c1fb15-48e2-8613-b42a-"
        "92996cf05959"}},
      {"autoscaler-log-affinity",
       {"cluster-autoscaler about restic-2r6cr",
        "  node-affinity @eks-d6bf7003-b4ee-d0a4-ad23-a23ac5c64c8e"}},
      {"karpenter-two-gpus",
       {"karpenter", "  no-machine nvidia.com/gpu: 2 @nodepool-code-analyzer"}},
      {"karpenter-two-pools",
       {"karpenter", "  no-machine nvidia.com/gpu: 1 @gpu",
        "  no-machine nvidia.com/gpu: 1 @general-purpose"}},
      {"karpenter-provisioners",
       {"karpenter about monitoring/prometheus-monitoring-kube-prometheus-prometheus-0",
        "  untolerated-taint bitbucket=true @bitbucket",
        "  untolerated-taint default=true @default"}},
      {"karpenter-device-of-an-old-log",
       {"karpenter about k4-alpha-dev2-gitlab-runner-gitlab-runner/"
        "runner-ng54vhki-project-25-concurrent-425rs2",
        "  untolerated-taint domain.node.dkb.cloud/system-core=true @core-system",
        "  no-machine github.com/fuse: 2 @internal-services-tenant"}},
      {"karpenter-unknown-label",
       {"karpenter", "  untolerated-taint arch=arm64 @arm-instance-store",
        "  node-affinity karpenter.sh/nodepool @x86", "  pool-limit @default"}},
      {"karpenter-before-pools", {"karpenter", "  no-machine"}},
      {"karpenter-of-today",
       {"karpenter", "  untolerated-taint msp.stripe.io/availability-tier=A400",
        "  untolerated-taint msp.stripe.io/host-set-template=lowdisruption",
        "  untolerated-taint msp.stripe.io/host-set-template=docdb-arm"}},
  };
}

[[nodiscard]] std::vector<Real> queue_texts() {
  return {
      {"kueue-no-such-quota", {"kueue", "  quota cpu", "kueue", "  quota memory"}},
      {"kueue-topology", {"kueue", "  topology-spread"}},
      {"volcano-gang", {"volcano of 1", "  1 gang: 1 minAvailable"}},
      {"volcano-gang-yaml", {"volcano of 8", "  12 gang: 20 minAvailable"}},
      {"volcano-overused", {"volcano of 1", "  1 gang: 1 minAvailable", "volcano", "  quota"}},
      {"volcano-device-sharing", {"volcano of 1", "  1 other"}},
      {"kai-gpus", {"kai-scheduler", "  2 insufficient-resource GPUs"}},
      {"kai-gpu-memory", {"kai-scheduler", "  1 other"}},
      {"kai-claims-of-a-gang",
       {"kai-scheduler of 17", "  5 gang", "kai-scheduler", "  12 device-claim"}},
  };
}

[[nodiscard]] std::vector<Real> kubelet_texts() {
  return {
      {"kubelet-out-of-memory",
       {"kubelet",
        "  1 insufficient-resource memory: requested: 2147483648, used: 32290433792, capacity: "
        "32457011200"}},
      {"kubelet-devices-held",
       {"kubelet", "  allocation-failed nvidia.com/gpu: Requested:1, Available: 0"}},
      {"kubelet-device-gone",
       {"kubelet", "  allocation-failed nvidia.com/gpu: Requested: 1, Available: 0"}},
      {"kubelet-plugin-died", {"kubelet", "  allocation-failed"}},
      {"kubelet-gpu-lost", {"kubelet", "  allocation-failed"}},
      {"kubelet-unhealthy", {"kubelet", "  allocation-failed amd.com/gpu"}},
      {"pods-table-out-of-gpu",
       {"kubelet about gpu-replicaset-bxbc2", "  1 insufficient-resource nvidia.com/gpu"}},
      {"kubelet-no-such-image",
       {"kubelet about nvidia-smi-q852m",
        "  image-pull nvidia/cuda: rpc error: code = NotFound desc = failed to pull and unpack "
        "image \"docker.io/nvidia/cuda:latest\": failed to resolve reference "
        "\"docker.io/nvidia/cuda:latest\": docker.io/nvidia/cuda:latest: not found"}},
      {"pods-table-image-pull", {"kubelet about gpu-operator-6996bfc8df-82c66", "  image-pull"}},
  };
}

[[nodiscard]] std::vector<Real> refusal_texts() {
  return {
      {"apiserver-quota-in-a-log",
       {"kube-apiserver about simple-job-default-worker-288aa47864",
        "  quota requests.cpu: 500m requested, 1 used, 1 limited @default-quota",
        "  quota requests.memory: 500Mi requested, 1000Mi used, 1Gi limited @default-quota"}},
      {"apiserver-quota-counts-memory",
       {"kube-apiserver about hap-operator-kubernetes-ingress-crdjob-1-6nxxb",
        "  quota: limits.cpu for: crd; limits.memory for: crd; requests.cpu for: crd; "
        "requests.memory for: crd @ingress-stack"}},
      {"apiserver-quota-of-scopes", {"kube-apiserver", "  quota"}},
      {"apiserver-pod-security",
       {"kube-apiserver about proxmox-csi-plugin-node-hxf84", "  pod-security baseline"}},
      {"apiserver-no-runtime-class",
       {"kube-apiserver about nginx-runc", "  missing-object RuntimeClass: native"}},
      {"apiserver-request-alone", {"kube-apiserver about fisherwool", "  invalid-amount"}},
      {"apiserver-request-is-not-the-limit",
       {"kube-apiserver about test-model-test-0-leader-0-0",
        "  invalid-amount huawei.com/ascend-1980"}},
  };
}

[[nodiscard]] std::vector<Real> runtime_texts() {
  return {
      {"runtime-not-configured", {"container-runtime", "  missing-runtime nvidia"}},
      {"runtime-handler-of-crio", {"container-runtime", "  missing-runtime nvidia"}},
      {"runtime-no-driver-in-the-plugin", {"container-runtime", "  missing-driver"}},
      {"runtime-unknown-device",
       {"container-runtime",
        "  missing-device management.nvidia.com/gpu=GPU-e78e68c0-4e6a-737e-f9cc-4223fe50aead"}},
  };
}

[[nodiscard]] std::filesystem::path folder() {
  return std::filesystem::path(GPULINT_SOURCE_DIR) / "testdata/events";
}

[[nodiscard]] std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void check(const std::vector<Real>& texts) {
  for (const Real& real : texts) {
    INFO(real.file);
    CHECK(summarize(read(folder() / (std::string(real.file) + ".txt"))) == real.says);
  }
}

TEST_CASE("Real messages of the scheduler say what they say") { check(scheduler_texts()); }
TEST_CASE("Real messages of autoscalers say what they say") { check(autoscaler_texts()); }
TEST_CASE("Real messages of queues and gangs say what they say") { check(queue_texts()); }
TEST_CASE("Real messages of the kubelet say what they say") { check(kubelet_texts()); }

TEST_CASE("Real refusals of the API server say what they say") { check(refusal_texts()); }
TEST_CASE("Real messages of container runtimes say what they say") { check(runtime_texts()); }

TEST_CASE("Every text has its source and its expectation") {
  std::set<std::string> expected;
  for (const auto& texts : {scheduler_texts(), autoscaler_texts(), queue_texts(), kubelet_texts(),
                            refusal_texts(), runtime_texts()}) {
    for (const Real& real : texts) expected.insert(std::string(real.file) + ".txt");
  }
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".txt")) files.insert(name);
  }
  std::set<std::string> sourced;
  std::istringstream lines(read(folder() / "SOURCES.tsv"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find("\thttps://github.com/");
    if (tab != std::string::npos) sourced.insert(line.substr(0, tab));
  }
  CHECK(files == expected);
  CHECK(files == sourced);
  CHECK(files.size() >= 25);
}

}  // namespace
}  // namespace gpulint::test
