#pragma once

#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::missing_runtime_class {

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
