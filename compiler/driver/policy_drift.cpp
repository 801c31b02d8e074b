#include "compiler/driver/policy_drift.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include <fmt/format.h>

#include "backends/unified_diff.h"
#include "compiler/policy/write_vap.h"

namespace gpulint {
namespace {

/// The hashes that annotations of a text hold, in whatever style of YAML or JSON.
[[nodiscard]] std::set<std::string> hashes_in(std::string_view text) {
  constexpr std::size_t length = 16;
  std::set<std::string> found;
  for (std::size_t at = text.find(policy::hash_annotation); at != std::string_view::npos;
       at = text.find(policy::hash_annotation, at)) {
    at += policy::hash_annotation.size();
    const std::size_t begin = text.find_first_not_of("\"'\\: ", at);
    if (begin == std::string_view::npos) break;
    const std::string_view hash = text.substr(begin, length);
    if (hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      found.emplace(hash);
    }
  }
  return found;
}

/// Not what an API server gives back, which adds to objects and orders their fields anew.
[[nodiscard]] bool is_as_written(std::string_view text, std::string_view now) {
  return text.substr(0, text.find('\n')) == now.substr(0, now.find('\n')) &&
         text.find("resourceVersion") == std::string_view::npos;
}

}  // namespace

PolicyDrift find_drift(std::string_view path, std::string_view before, std::string_view now) {
  PolicyDrift drift;
  if (before == now) return drift;
  if (is_as_written(before, now)) {
    drift.is_none = false;
    drift.diff = unified_diff(path, before, now);
    return drift;
  }
  const std::set<std::string> there = hashes_in(before);
  const std::set<std::string> due = hashes_in(now);
  for (const std::string& hash : there) {
    if (!due.contains(hash)) drift.hashes.push_back(fmt::format("{} holds {}", path, hash));
  }
  for (const std::string& hash : due) {
    if (!there.contains(hash)) drift.hashes.push_back(fmt::format("{} lacks {}", path, hash));
  }
  drift.is_none = drift.hashes.empty();
  return drift;
}

}  // namespace gpulint
