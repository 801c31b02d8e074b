#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/messages/explain.h"
#include "tests/unit/messages/summary.h"

namespace gpulint::test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("Spans are those of the words in the text that was given") {
  const std::string text =
      "message: '0/5 nodes are available: 1 Insufficient nvidia.com/gpu, 4 node(s) didn''t match\n"
      "  Pod''s node affinity/selector. preemption: 0/5 nodes are available: 5 Preemption is not\n"
      "  helpful for scheduling.'\n";
  const auto events = events::parse(text);
  REQUIRE(events.size() == 1);
  REQUIRE(events.front().claims.size() == 3);
  const events::Claim& claim = events.front().claims[1];
  CHECK(claim.text == "4 node(s) didn't match Pod's node affinity/selector");
  CHECK(text.substr(claim.begin, claim.end - claim.begin) ==
        "4 node(s) didn''t match\n  Pod''s node affinity/selector");
}

TEST_CASE("Clauses of all versions of the scheduler are known") {
  struct Form {
    const char* clause;
    const char* says;
  };
  // pkg/scheduler/framework/plugins of Kubernetes 1.18 to 1.34, and the predicates before those.
  const std::vector<Form> forms = {
      {"2 MatchNodeSelector", "2 node-affinity"},
      {"2 node(s) didn't match node selector", "2 node-affinity"},
      {"2 node(s) didn't match Pod's node affinity", "2 node-affinity"},
      {"2 node(s) didn't match Pod's node affinity/selector", "2 node-affinity"},
      {"2 node(s) had untolerated taint(s)", "2 untolerated-taint"},
      {"2 node(s) had untolerated taint {a.b/c: d}", "2 untolerated-taint a.b/c=d"},
      {"2 node(s) had taint {a: d}, that the pod didn't tolerate", "2 untolerated-taint a=d"},
      {"2 node(s) had volume node affinity conflict", "2 volume"},
      {"2 node(s) didn't match pod anti-affinity rules", "2 pod-affinity"},
      {"2 node(s) didn't match pod topology spread constraints", "2 topology-spread"},
      {"2 node(s) didn't have free ports for the requested pod ports", "2 host-ports"},
      {"2 node(s) were not ready", "2 node-condition"},
      {"2 node(s) had memory pressure", "2 node-condition"},
      {"2 cannot allocate all claims", "2 device-claim"},
      {"2 Too many pods", "2 insufficient-resource pods"},
      {"2 Insufficient nvidia.com/mig-1g.5gb", "2 insufficient-resource nvidia.com/mig-1g.5gb"},
  };
  for (const Form& form : forms) {
    const std::string text = std::string("0/2 nodes are available: ") + form.clause + ".";
    CHECK(summarize(text) == Lines{"kube-scheduler of 2", std::string("  ") + form.says});
  }
}

TEST_CASE("What newer schedulers say before preemption ends the list") {
  CHECK(
      summarize("0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. "
                "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption "
                "is not helpful for scheduling.") ==
      Lines{"kube-scheduler of 3", "  1 untolerated-taint", "  2 insufficient-resource cpu",
            "  3 preemption"});
}

TEST_CASE("Reasons of an autoscaler are those of its groups") {
  CHECK(
      summarize("Normal  NotTriggerScaleUp  2m  cluster-autoscaler  pod didn't trigger scale-up: 2 "
                "node(s) didn't match Pod's node affinity/selector, 1 max node group size reached, "
                "1 in backoff after failed scale-up") ==
      Lines{"cluster-autoscaler", "  2 node-affinity", "  1 pool-limit", "  1 scale-up"});
  CHECK(summarize("pod triggered scale-up: [{gpu-nodes 0->1 (max: 5)}]") ==
        Lines{"cluster-autoscaler", "  scale-up"});
}

TEST_CASE("Kueue's reasons name the resource, the flavor and what is missing") {
  CHECK(summarize("couldn't assign flavors to pod set main: insufficient unused quota for "
                  "nvidia.com/gpu in flavor gpu-a100, 2 more needed, flavor cpu doesn't match node "
                  "affinity") ==
        Lines{"kueue", "  quota nvidia.com/gpu: 2 more needed @gpu-a100", "  node-affinity @cpu"});
  CHECK(
      summarize("couldn't assign flavors to pod set worker: borrowing limit for nvidia.com/gpu in "
                "flavor ml.g5.8xlarge exceeded") ==
      Lines{"kueue", "  quota nvidia.com/gpu @ml.g5.8xlarge"});
}

TEST_CASE("Each limit of a LimitRange is a claim") {
  CHECK(summarize("pods \"a\" is forbidden: [maximum cpu usage per Container is 2, but limit is 4, "
                  "minimum nvidia.com/gpu usage per Container is 1.  No request is specified]") ==
        Lines{"kube-apiserver about a",
              "  quota cpu: maximum usage per Container is 2, but limit is 4 @LimitRange",
              "kube-apiserver about a",
              "  quota nvidia.com/gpu: minimum usage per Container is 1.  No request is specified "
              "@LimitRange"});
}

TEST_CASE("Lines that an editor or a terminal broke are one message") {
  CHECK(
      summarize("  Warning  FailedScheduling  30s   default-scheduler  0/2 nodes are available: \n"
                "           2 Insufficient nvidia.com/mig-2g.10gb.\n"
                "  Normal   Scheduled  1s  default-scheduler  Successfully assigned\n") ==
      Lines{"kube-scheduler of 2", "  2 insufficient-resource nvidia.com/mig-2g.10gb"});
  CHECK(summarize("Warning  FailedScheduling  5s    default-scheduler  0/2 nodes are available: 1\n"
                  "node(s) had untolerated taint {sku: gpu}, 1 Insufficient cpu.\n") ==
        Lines{"kube-scheduler of 2", "  1 untolerated-taint sku=gpu",
              "  1 insufficient-resource cpu"});
}

TEST_CASE("Of the kubelet's messages about one image the one with the cause counts") {
  const Lines told{"kubelet about a", "  image-pull x: rpc error: not found"};
  for (
      const char* text : {
          "1m Warning Failed pod/a Error: ErrImagePull\n1m Normal BackOff pod/a Back-off pulling "
          "image \"x\"\n1m Warning Failed pod/a Failed to pull image \"x\": rpc error: not found\n",
          "metadata:\n  name: a\nstatus:\n  message: 'Failed to pull image \"x\": rpc error: not "
          "found'\n  reason: ErrImagePull\n",
          "{\"metadata\":{\"name\":\"a\"},\"message\":\"Failed to pull image \\\"x\\\": rpc error: "
          "not found\"}",
      }) {
    CHECK(summarize(text) == told);
  }
  CHECK(summarize("pod/a Error: ErrImagePull\npod/b Error: ErrImagePull\n") ==
        Lines{"kubelet about a", "  image-pull", "kubelet about b", "  image-pull"});
}

TEST_CASE("A text without messages has none") {
  for (const char* text : {"", "\n", "0/5", "nodes are available:", "/5 nodes are available: 1 x",
                           "kind: Pod\n", "OutOfBoundsException", "all nodes are available: yes"}) {
    CHECK(summarize(text).empty());
  }
}

TEST_CASE("Every kind of claim is explained") {
  for (int kind = 0; kind <= static_cast<int>(events::ClaimKind::other); ++kind) {
    events::Claim claim;
    claim.kind = static_cast<events::ClaimKind>(kind);
    for (int speaker = 0; speaker <= static_cast<int>(events::Speaker::kubelet); ++speaker) {
      events::Event event;
      event.speaker = static_cast<events::Speaker>(speaker);
      const events::Explanation explanation = events::explain(claim, event);
      CHECK_FALSE(explanation.meaning.empty());
      CHECK_FALSE(explanation.meaning.ends_with('.'));
    }
  }
}

TEST_CASE("A device plugin that refuses several replicas is no lost device") {
  const auto meaning = [](const char* text) {
    events::Claim claim;
    claim.kind = events::ClaimKind::allocation_failed;
    claim.text = text;
    return events::explain(claim, {}).meaning;
  };
  CHECK(meaning("Allocate failed due to rpc error: maximum request size for shared resources is 1; "
                "found 10, which is unexpected")
            .find("several replicas of a shared GPU") != std::string::npos);
  CHECK(meaning("Allocate failed due to device plugin GetPreferredAllocation rpc failed")
            .find("a device was lost") != std::string::npos);
}

}  // namespace
}  // namespace gpulint::test
