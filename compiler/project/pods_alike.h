#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "compiler/ir/node.h"

namespace gpulint {

/// For each pod that was read: the number of pods with the same owner and template that were
/// skipped (frontend/json_reader.h).
class PodsAlike {
 public:
  using Counts = std::map<NodeIndex, std::uint32_t>;

  /// Thread-safe.
  void add(const Document& document, const Counts& counts);

  [[nodiscard]] std::size_t of(Node pod) const;
  [[nodiscard]] std::size_t total() const;

 private:
  std::mutex mutex_;
  std::map<std::pair<const Document*, NodeIndex>, std::uint32_t> counts_;
};

}  // namespace gpulint
