#include "compiler/model/facts/kubernetes_kinds.h"

#include <algorithm>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

#include "tables/kinds.inc"

constexpr KindFacts no_facts{};

}  // namespace

std::span<const KindFacts> all_kinds() { return kind_table; }

std::span<const KindReference> pod_references() { return pod_reference_table; }

const KindFacts& facts_of(std::string_view api_version, std::string_view kind) {
  const std::string_view group = api_group(api_version);
  for (const KindFacts& known : kind_table) {
    if (known.group == group && known.kind == kind) return known;
  }
  return no_facts;
}

const KindFacts& facts_of_kind(std::string_view kind) {
  const auto* const found = std::ranges::find(kind_table, kind, &KindFacts::kind);
  return found != std::ranges::end(kind_table) ? *found : no_facts;
}

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

std::optional<std::string_view> find_kind(std::string_view group, std::string_view kind) {
  for (const KindFacts& known : kind_table) {
    if (known.group == group && equal_fold(known.kind, kind)) return known.kind;
  }
  return std::nullopt;
}

bool is_closed_group(std::string_view group) { return is_listed(closed_group_table, group); }

std::vector<std::string_view> kinds_of_closed_group(std::string_view group) {
  std::vector<std::string_view> kinds;
  if (!is_closed_group(group)) return kinds;
  for (const KindFacts& known : kind_table) {
    if (known.group == group) kinds.push_back(known.kind);
  }
  return kinds;
}

std::optional<std::string_view> api_version_of_kind(std::string_view kind) {
  for (const KindFacts& known : kind_table) {
    if (known.kind == kind && !known.version.empty()) return known.version;
  }
  return std::nullopt;
}

}  // namespace gpulint
