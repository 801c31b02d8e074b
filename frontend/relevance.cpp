#include "frontend/relevance.h"

#include <re2/re2.h>

namespace gpulint {
namespace {

/// Image names alone (`nvcr.io/nvidia/…`) do not count: they ask for nothing. `mig[-s]`: `migStrategy`.
constexpr const char* triggers =
    "(?i)gpu|nvidia[.]com|nvidia-|(dev|lib|bin|local)/nvidia|cuda|/neuron|google[.]com/tpu|habana[.]ai|/gaudi|fpga|"
    "accelerator|taints?[\"']?:|toleration|NoSchedul|NoExecut|"
    "flyte|plugins[\"']?:|task_resource|/v[0-9]+(alpha|beta)|"
    "kind[\"']?: *[\"']?(node|provisioner|instancegroup|machinepool|machinedeployment|"
    "clusterconfig|kubeletconfiguration|container(nodepool|cluster)|ec2nodeclass|"
    "resourceclaim|deviceclass|runtimeclass|ray)|"
    "mig[-s]|device(id|list|discovery)strategy|ray[.]io/|node-labels|feature-gates|terraform_version";

}  // namespace

bool may_concern_gpus(std::string_view text) {
  static const RE2 pattern(triggers);  // compiled once, on first use; matching is thread-safe
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

}  // namespace gpulint
