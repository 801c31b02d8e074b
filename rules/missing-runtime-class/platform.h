#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::missing_runtime_class {

/// A distribution of Kubernetes whose containerd knows NVIDIA's runtime beside its default.
struct Platform {
  std::string_view name;
  Node evidence;  ///< What of a Node shows it.
};

/// Of all GPU nodes; nothing where one of them is of another kind, or where the GPU operator's
/// container toolkit sets the runtime up.
[[nodiscard]] std::optional<Platform> find_platform(const Cluster& cluster);

/// Pods that name the class `nvidia` where the nodes' old K3s makes none and nobody among the
/// inputs does: they are refused.
void check_absent_class(const Corpus& corpus, Reporter& reporter);

/// The runtime class that GPU pods need, and what it was taken from.
struct NeededClass {
  std::string name;             ///< Empty: none is known to be needed.
  Node runtime_class;           ///< Nothing where gpulint.yaml declares it.
  std::string_view platform{};  ///< Whose nodes need it, unless its default was changed.
};

/// Offers to name the class in a mapping that takes `runtimeClassName`.
void offer_class(const Corpus& corpus, const NeededClass& needed, Node mapping, Finding& finding);

/// Daemons that ask NVIDIA's driver themselves (device plugin, feature discovery, DCGM exporter):
/// they need the class on a platform that needs it, and where another of them names it. Of the
/// platform all nodes tell where none shows GPUs.
void check_daemons(const Corpus& corpus, const NeededClass& known, Reporter& reporter);

}  // namespace gpulint::rules::missing_runtime_class
