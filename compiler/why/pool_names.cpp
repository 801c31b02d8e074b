#include "compiler/why/pool_names.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint::why {
namespace {

constexpr std::size_t most_names = 4;

}  // namespace

std::string name_of(const NodePool& pool) { return pool.name.empty() ? "(unnamed)" : pool.name; }

std::string names_of(const std::vector<const NodePool*>& pools) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(pools.size(), most_names); ++i) {
    names.push_back(name_of(*pools[i]));
  }
  const std::string text = fmt::format("{}", fmt::join(names, ", "));
  return pools.size() <= most_names
             ? text
             : fmt::format("{} and {} more", text, pools.size() - most_names);
}

}  // namespace gpulint::why
