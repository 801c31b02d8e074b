#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/messages/summary.h"

namespace gpulint::test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("Events and pods as YAML name the pod") {
  const std::string events = R"(
items:
- apiVersion: v1
  involvedObject:
    apiVersion: v1
    kind: Pod
    name: train-x7k2p
    namespace: ml
  kind: Event
  message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.'
  metadata:
    name: train-x7k2p.17c0
    namespace: ml
  reason: FailedScheduling
)";
  CHECK(summarize(events) == Lines{"kube-scheduler of 2 about ml/train-x7k2p",
                                   "  2 insufficient-resource nvidia.com/gpu"});
  const std::string pod = R"(apiVersion: v1
kind: Pod
metadata:
  labels:
    name: other
  name: train
  namespace: ml
  ownerReferences:
  - kind: Job
    name: job
spec:
  containers: []
status:
  conditions:
  - message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2
      nodes are available: 2 No preemption victims found for incoming pod.'
    reason: Unschedulable
    status: "False"
    type: PodScheduled
)";
  CHECK(summarize(pod) == Lines{"kube-scheduler of 2 about ml/train",
                                "  2 insufficient-resource nvidia.com/gpu", "  2 preemption"});
}

TEST_CASE("Events as JSON name the pod") {
  const std::string spread = R"({
    "involvedObject": {
        "kind": "Pod",
        "name": "train",
        "namespace": "ml"
    },
    "message": "incompatible with nodepool \"gpu\", did not tolerate sku=gpu:NoSchedule",
    "metadata": {"name": "train.17"}
})";
  const Lines says = {"karpenter about ml/train", "  untolerated-taint sku=gpu @gpu"};
  CHECK(summarize(spread) == says);
  CHECK(summarize(R"({"involvedObject":{"kind":"Pod","namespace":"ml","name":"train"},)"
                  R"("message":"incompatible with nodepool \"gpu\", did not tolerate )"
                  R"(sku=gpu:NoSchedule","metadata":{"name":"train.17"}})") == says);
}

TEST_CASE("Objects in flow style name the pod") {
  for (const char* metadata :
       {"metadata: {name: train, namespace: ml}",
        R"("metadata": {"labels": {"name": "x"}, "name": "train", "namespace": "ml"},)"}) {
    CHECK(summarize(std::string(metadata) +
                    "\nstatus:\n  message: '0/1 nodes are available: 1 Insufficient cpu.'\n") ==
          Lines{"kube-scheduler of 1 about ml/train", "  1 insufficient-resource cpu"});
  }
}

TEST_CASE("A table of all namespaces and a description of a node name no wrong pod") {
  CHECK(summarize("ml   3s   Warning   FailedScheduling   pod/train   0/1 nodes are available: 1 "
                  "Insufficient cpu.") ==
        Lines{"kube-scheduler of 1 about train", "  1 insufficient-resource cpu"});
  CHECK(
      summarize("Name:  gpu-1\nRoles:  <none>\nEvents:\n  0/1 nodes are available: 1 Insufficient "
                "cpu.") == Lines{"kube-scheduler of 1", "  1 insufficient-resource cpu"});
}

}  // namespace
}  // namespace gpulint::test
