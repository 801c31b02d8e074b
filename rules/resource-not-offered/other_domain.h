#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus.h"

namespace gpulint::rules::resource_not_offered {

/// A device that a container asks for under a domain that nobody offers, while nodes offer one of
/// the same name under another: `squat.ai/dri` where there is `devic.es/dri`.
struct OtherDomain {
  const Workload* workload = nullptr;
  const ResourceEntry* asked = nullptr;
  std::string_view offered;        ///< By its full name.
  const NodePool* pool = nullptr;  ///< The first that offers it.
  Node place;                      ///< Where it does.
};

/// Of GPUs the placement speaks itself. None where a pool or a DeviceClass may offer what is asked.
[[nodiscard]] std::vector<OtherDomain> find_other_domains(const Corpus& corpus);

}  // namespace gpulint::rules::resource_not_offered
