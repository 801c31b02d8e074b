#include "compiler/model/facts/gpu_resource.h"

#include <catch2/catch.hpp>

#include "golden.h"

namespace gpulint {
namespace {

using ResourceKind = GpuResource::Kind;

TEST_CASE("every resource of the facts is known and no near miss of another") {
  for (const KnownResource& known : known_resources()) {
    if (known.name.find('<') != std::string_view::npos) continue;
    const GpuResource resource = classify_resource(known.name);
    INFO(known.name);
    CHECK(resource.known == &known);
    const bool exists = known.status != ResourceStatus::does_not_exist;
    CHECK((resource.kind == ResourceKind::near_miss) == !exists);
  }
}

TEST_CASE("resources are devices, their attributes, or companions") {
  CHECK(classify_resource("nvidia.com/gpu").kind == ResourceKind::device);
  CHECK(classify_resource("nvidia.com/gpu.shared").shared);
  CHECK(classify_resource("google.com/tpu").kind == ResourceKind::device);
  CHECK(classify_resource("aws.amazon.com/neuroncore").kind == ResourceKind::device);
  CHECK(classify_resource("nvidia.com/gpumem-percentage").kind == ResourceKind::attribute);
  CHECK(classify_resource("volcano.sh/vgpu-memory").kind == ResourceKind::attribute);
  CHECK(classify_resource("volcano.sh/vgpu-number").kind == ResourceKind::device);
  CHECK(classify_resource("vpc.amazonaws.com/efa").kind == ResourceKind::auxiliary);
  CHECK(classify_resource("gpu.intel.com/i915_monitoring").kind == ResourceKind::auxiliary);
  CHECK(classify_resource("amd.com/cpx_nps4").kind == ResourceKind::device);
  CHECK(classify_resource("deviceclass.resource.kubernetes.io/gpu.nvidia.com").kind ==
        ResourceKind::device);
  CHECK(classify_resource("nvidia.com/gpu-10gb").kind == ResourceKind::device);
  CHECK(classify_resource("cpu").kind == ResourceKind::none);
  CHECK(classify_resource("hugepages-2Mi").kind == ResourceKind::none);
  CHECK(classify_resource("rdma/hca_shared").kind == ResourceKind::none);
  CHECK(classify_resource("alpha.kubernetes.io/nvidia-gpu-name").kind == ResourceKind::none);
}

TEST_CASE("MIG resources carry profiles") {
  const GpuResource me = classify_resource("nvidia.com/mig-1g.5gb.me");
  CHECK(me.kind == ResourceKind::mig);
  CHECK(me.profile == "1g.5gb+me");
  CHECK_FALSE(me.shared);
  const GpuResource shared = classify_resource("nvidia.com/mig-3g.20gb.shared");
  CHECK(shared.kind == ResourceKind::mig);
  CHECK(shared.profile == "3g.20gb");
  CHECK(shared.shared);
  CHECK(classify_resource("nvidia.com/mig-1g.24gb-me").profile == "1g.24gb-me");
  // A name that older drivers gave.
  CHECK(classify_resource("nvidia.com/mig-7g.79gb").kind == ResourceKind::mig);
}

TEST_CASE("MIG resources of no GPU get the nearest profile") {
  const auto suggestion = [](std::string_view name) {
    const GpuResource resource = classify_resource(name);
    CHECK(resource.kind == ResourceKind::unknown_mig);
    return resource.suggestion;
  };
  CHECK(suggestion("nvidia.com/mig-2g.15gb") == "nvidia.com/mig-2g.12gb");
  CHECK(suggestion("nvidia.com/mig-1g.5gb+me") == "nvidia.com/mig-1g.5gb.me");
  CHECK(suggestion("nvidia.com/mig-1g5gb") == "nvidia.com/mig-1g.5gb");
  CHECK(suggestion("nvidia.com/mig-1g.5GB.shared") == "nvidia.com/mig-1g.5gb.shared");
  CHECK(suggestion("nvidia.com/mig-small") == "");
}

TEST_CASE("slips are told from other vendors' names") {
  const auto meant = [](std::string_view name) {
    const GpuResource resource = classify_resource(name);
    return resource.kind == ResourceKind::near_miss ? resource.suggestion : "none";
  };
  for (const char* slip :
       {"nvidia.com/gpus", "nvidia.com/GPU", "nvidia.com/gup", "nvidia.com/gppu", "nvidia/gpu",
        "nvidia.io/gpu", "nvdia.com/gpu", "nividia.com/gpu", "NVIDIA.com/gpu", "gpu", "gpus",
        "nvidia-gpu", "nvidia.com.gpu", "nvidia.com/mps"}) {
    INFO(slip);
    CHECK(meant(slip) == "nvidia.com/gpu");
  }
  CHECK(meant("nvidia.com/gpu-shared") == "nvidia.com/gpu.shared");
  CHECK(meant("nvidia.com/mig1g.5gb") == "nvidia.com/mig-1g.5gb");
  CHECK(meant("mig-1g.5gb") == "nvidia.com/mig-1g.5gb");
  CHECK(meant("amd/gpu") == "amd.com/gpu");
  CHECK(meant("aws.amazon.com/neurons") == "aws.amazon.com/neuron");
  CHECK(meant("google.com/TPU") == "google.com/tpu");
  for (const char* real :
       {"nvidia.com/gpu-10gb", "nvidia.com/gpumem", "nvidia.com/pgpu", "nvidia.com/vgpu",
        "nvidia.com/gpu0", "arm.com/gpu", "example.com/gpu", "metax-tech.com/sgpu",
        "management.nvidia.com/gpu", "nvidia.com/GA102GL_A10", "nvidia.com/rdma_shared_device",
        "nvidia.com/migration", "intel.com/gpu", "volcano.sh/gpu-number", "memory", "cpu",
        "ephemeral-storage", "example.com/foo", "elasticgpu.io/gpu-core"}) {
    INFO(real);
    CHECK(meant(real) == "none");
  }
}

TEST_CASE("the alpha resource is recognised in its spellings") {
  for (const char* name : {"alpha.kubernetes.io/nvidia-gpu", "kubernetes.io/nvidia-gpu",
                           "alpha.kubernetes.io/nvidia-gpus"}) {
    INFO(name);
    CHECK(classify_resource(name).kind == ResourceKind::removed);
    CHECK(classify_resource(name).suggestion == "nvidia.com/gpu");
  }
}

TEST_CASE("GPU resources are told from the rest") {
  CHECK(is_gpu_resource("nvidia.com/gpu"));
  CHECK(is_gpu_resource("example.com/gpu"));
  CHECK(is_gpu_resource("alpha.kubernetes.io/nvidia-gpu"));
  CHECK(is_gpu_resource("nvidia.com/mig-9g.9gb"));
  CHECK(is_gpu_resource("huawei.com/Ascend910A"));
  CHECK_FALSE(is_gpu_resource("cpu"));
  CHECK_FALSE(is_gpu_resource("vpc.amazonaws.com/efa"));
  CHECK_FALSE(is_gpu_resource(""));
  CHECK_FALSE(is_gpu_resource(std::string(100000, 'g')));
  CHECK(is_nvidia_device("nvidia.com/mig-1g.5gb"));
  CHECK_FALSE(is_nvidia_device("nvidia.com/gpumem"));
  CHECK_FALSE(is_nvidia_device("amd.com/gpu"));
}

}  // namespace
}  // namespace gpulint
