#include "frontend/json_records.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "compiler/ir/node.h"

namespace gpulint {
namespace {

/// Owners that make all their pods of one template. A workflow's differ from one another.
constexpr auto kinds_of_one_template = std::to_array<std::string_view>(
    {"ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job"});

constexpr auto records_of_status = std::to_array<std::string_view>(
    {"conditions", "containerStatuses", "ephemeralContainerStatuses", "images",
     "initContainerStatuses"});

template <std::size_t size>
[[nodiscard]] bool holds(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Behind the closing quote of a string that begins at `at`; null where it has none.
[[nodiscard]] const char* behind_string(const char* at, const char* end) {
  for (++at; at != end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\' && ++at == end) return nullptr;
  }
  return nullptr;
}

[[nodiscard]] bool ends_word(char c) {
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

bool is_record(std::string_view in, std::string_view key) {
  return in == "status" ? holds(records_of_status, key)
                        : in == "metadata" && key == "managedFields";
}

std::string template_of_pod(const Document& document, NodeIndex object) {
  const Node pod(document, object);
  if (pod.get("kind").text() != "Pod") return {};
  const Node metadata = pod.get("metadata");
  for (const Node owner : metadata.get("ownerReferences").items()) {
    const std::string_view uid = owner.get("uid").text();
    if (owner.get("controller").text() != "true" || uid.empty()) continue;
    if (!holds(kinds_of_one_template, owner.get("kind").text())) return {};
    // A DaemonSet and a StatefulSet have pods of older templates beside new ones.
    const std::string_view revision = metadata.at("labels", "controller-revision-hash").text();
    const bool is_bound = !pod.at("spec", "nodeName").text().empty();
    return fmt::format("{} {} {}", uid, revision, is_bound ? "bound" : "waiting");
  }
  return {};
}

const char* behind_json_value(const char* at, const char* end) {
  std::size_t depth = 0;
  while (at != end) {
    if (*at == '"') {
      at = behind_string(at, end);
      if (at == nullptr) return nullptr;
    } else if (*at == '{' || *at == '[') {
      ++depth;
      ++at;
      continue;
    } else if (depth > 0 && (*at == '}' || *at == ']')) {
      --depth;
      ++at;
    } else if (depth > 0) {
      ++at;
      continue;
    } else {
      return std::find_if(at, end, ends_word);
    }
    if (depth == 0) return at;
  }
  return nullptr;
}

}  // namespace gpulint
