#include "compiler/model/declared_kinds.h"

#include <algorithm>
#include <string>

namespace gpulint {
namespace {

/// The path of the mapping itself: it has the fields of a container.
constexpr std::string_view itself[] = {""};

}  // namespace

bool is_field_path(std::string_view path) {
  while (!path.empty()) {
    std::size_t end = std::min(path.find_first_of(".[]"), path.size());
    if (end == 0) return false;
    path.remove_prefix(end);
    if (path.starts_with('[')) {
      end = path.find(']');
      if (end == path.npos) return false;
      path.remove_prefix(end + 1);
    }
    if (path.empty()) return true;
    if (!path.starts_with('.')) return false;
    path.remove_prefix(1);
  }
  return false;
}

DeclaredKinds::DeclaredKinds(std::span<const Node> entries) {
  for (const Node entry : entries) {
    const std::string_view name = entry.get("kind").text();
    const std::size_t slash = name.find('/');
    KindFacts& facts = rows_.emplace_back();
    facts.group = name.substr(0, slash);
    facts.kind = name.substr(slash + 1);
    facts.count.path = entry.get("count").text();
    for (const std::string_view trait : texts(entry.get("traits"))) {
      facts.traits.service = facts.traits.service || trait == "service";
      facts.traits.gang = facts.traits.gang || trait == "gang";
      facts.traits.one_run = facts.traits.one_run || trait == "one-run";
      facts.traits.lone = facts.traits.lone || trait == "lone";
    }
    std::vector<PodFacts>& pods = pods_.emplace_back();
    for (const Node pod : entry.get("pods").items()) {
      PodFacts& row = pods.emplace_back();
      row.path = pod.get("path").text();
      row.role = row.path.ends_with("[*]")              ? PodFacts::Role::key
                 : row.path.find("[]") != row.path.npos ? PodFacts::Role::item
                                                        : PodFacts::Role::none;
      row.containers = texts(pod.get("containers"));
      if (row.containers.empty()) row.containers = itself;
      row.is_completed_later = true;
    }
    std::vector<KindReference>& references = references_.emplace_back();
    for (const Node reference : entry.get("references").items()) {
      KindReference& row = references.emplace_back();
      row.path = reference.get("path").text();
      row.kinds = texts(reference.get("to"));
      row.what = row.kinds.front();
      row.effect = reference.get("missing").text();
    }
    facts.pods = pods;
    facts.references = references;
  }
}

const KindFacts* DeclaredKinds::find(std::string_view api_version, std::string_view kind) const {
  const std::string_view group = api_group(api_version);
  const auto found = std::ranges::find_if(
      rows_, [&](const KindFacts& row) { return row.group == group && row.kind == kind; });
  return found == rows_.end() ? nullptr : &*found;
}

std::span<const std::string_view> DeclaredKinds::texts(Node list) {
  std::vector<std::string_view>& found = texts_.emplace_back();
  for (const Node item : list.is_scalar() ? std::vector{list} : list.items()) {
    found.push_back(item.text());
  }
  return found;
}

const KindFacts& facts_of(const KubernetesObject& object, const DeclaredKinds* declared) {
  const std::string version = object.api_version.value_or("");
  const std::string kind = object.kind.value_or("");
  const KindFacts* const own = declared == nullptr ? nullptr : declared->find(version, kind);
  return own == nullptr ? facts_of(version, kind) : *own;
}

const KindFacts& facts_of(const Workload& workload) {
  return workload.declared_kind == nullptr ? facts_of_kind(workload.kind.value_or(""))
                                           : *workload.declared_kind;
}

}  // namespace gpulint
