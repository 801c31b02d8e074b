#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "compiler/ir/node.h"

namespace gpulint {

/// By pods that were read: how many others their owner has made of the same template, which were
/// not (frontend/json_reader.h).
class PodsAlike {
 public:
  using Counts = std::map<NodeIndex, std::uint32_t>;

  /// May be called by several threads at once.
  void add(const Document& document, const Counts& counts);

  [[nodiscard]] std::size_t of(Node pod) const;
  [[nodiscard]] std::size_t total() const;

 private:
  std::mutex mutex_;
  std::map<std::pair<const Document*, NodeIndex>, std::uint32_t> counts_;
};

}  // namespace gpulint
