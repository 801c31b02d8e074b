#pragma once

#include <string>
#include <string_view>

#include "compiler/model/cluster.h"

namespace gpulint::rules::unknown_gpu_label {

/// The label that is meant by a key that nobody sets: a few letters off one about GPUs, one with a
/// word too many, or one of a provider's domain that has it under another. Empty: none is.
[[nodiscard]] std::string meant_label(std::string_view key);

/// The label of every kubelet or cloud that is a letter or two away; empty: none is.
[[nodiscard]] std::string meant_standard_label(std::string_view key);

/// EKS Auto Mode has `eks.amazonaws.com/…` where Karpenter on AWS has `karpenter.k8s.aws/…`. Empty:
/// the key is no such one, or the pools are not all of Auto Mode.
[[nodiscard]] std::string meant_on_auto_mode(const Cluster& cluster, std::string_view key);

/// The value that is meant by one that no GPU has under the label: the name that another tool has
/// for it, other letter case or order, a form factor that the GPU does not come in. Empty: it has
/// one, or may be new.
[[nodiscard]] std::string meant_value(std::string_view key, std::string_view value);

}  // namespace gpulint::rules::unknown_gpu_label
