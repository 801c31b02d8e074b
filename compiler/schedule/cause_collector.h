#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compiler/schedule/causes.h"

namespace gpulint {

/// Collects causes. Equal ones (same kind, place and detail) become one with all their workloads.
class CauseCollector {
 public:
  explicit CauseCollector(std::vector<Cause>& causes) : causes_(causes) {}

  void add(Cause cause, const Workload& workload);

 private:
  std::vector<Cause>& causes_;
  std::map<std::tuple<std::size_t, Span, std::string>, std::size_t> index_;
};

}  // namespace gpulint
