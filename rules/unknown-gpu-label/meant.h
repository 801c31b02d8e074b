#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/corpus/corpus.h"

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

/// Whether something is found there already, by a rule that knows the nodes, or what the label has
/// become.
[[nodiscard]] bool is_told(std::span<const Diagnostic> found, Node where);

/// Labels of declared pools, unless a pod selects them by just that name; and GPU Feature
/// Discovery's product label with a name that it has for none, where it is known to run.
void check_pool_labels(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter);

}  // namespace gpulint::rules::unknown_gpu_label
