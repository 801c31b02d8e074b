#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// What differs between policies that were written before and those that would be written now.
struct PolicyDrift {
  bool is_none = true;
  std::string diff;                 ///< Of a file as gpulint writes it.
  std::vector<std::string> hashes;  ///< Else what stands in one of both alone, to print.
};

/// `before` is a file that gpulint wrote, or what a cluster says of its policies (`kubectl get … -o
/// yaml`), which is compared by the annotation alone.
[[nodiscard]] PolicyDrift find_drift(std::string_view path, std::string_view before,
                                     std::string_view now);

}  // namespace gpulint
