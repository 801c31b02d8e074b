#include "compiler/model/named_objects.h"

#include <algorithm>
#include <set>

#include "compiler/ir/field_path.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint {
namespace {

[[nodiscard]] std::optional<std::string> stated_namespace(Node object) {
  const Field<std::string> space = read_string(object.get("metadata"), "namespace");
  return space.is_known() ? std::optional(space.value()) : std::nullopt;
}

[[nodiscard]] std::set<std::string_view> find_referred_kinds(const DeclaredKinds* declared) {
  std::set<std::string_view> kinds;
  const auto add = [&](std::span<const KindReference> references) {
    for (const KindReference& each : references) {
      kinds.insert(each.kinds.begin(), each.kinds.end());
    }
  };
  add(pod_references());
  for (const KindFacts& facts : all_kinds()) {
    add(facts.references);
    if (facts.serves) kinds.insert(facts.kind);
  }
  if (declared == nullptr) return kinds;
  for (const KindFacts& facts : declared->rows()) add(facts.references);
  return kinds;
}

}  // namespace

bool has_name(const Names& names, std::string_view name) {
  return std::ranges::find(names, name, &Value<std::string>::value) != names.end();
}

NamedObjects::NamedObjects(std::span<const KubernetesObject> objects,
                           const DeclaredKinds* declared) {
  const std::set<std::string_view> referred = find_referred_kinds(declared);
  for (const KubernetesObject& object : objects) {
    const std::string kind = object.kind.value_or("");
    if (!referred.contains(kind)) continue;
    Kind& all = by_kind_[kind];
    all.objects.push_back(object.node);
    add(all, object.node, read_string(object.node.get("metadata"), "name"));
    const KindFacts& facts = facts_of_kind(kind);
    if (facts.made_kind.empty()) continue;
    const Node made = first_at(object.node, facts.made_name);
    add(by_kind_[std::string(facts.made_kind)], object.node,
        made ? read_string(made) : Field<std::string>());
  }
  for (auto& [kind, all] : by_kind_) {
    if (all.has_open_names) all.names.clear();
  }
}

void NamedObjects::add(Kind& all, Node object, const Field<std::string>& name) {
  if (!name.is_known()) {
    all.has_open_names = true;
    return;
  }
  const std::size_t position = all.names.size();
  all.names.push_back({name.value(), name.node()});
  all.named.push_back(object);
  all.by_namespace[stated_namespace(object)].push_back(position);
  all.by_name[name.value()].push_back(position);
}

const NamedObjects::Kind& NamedObjects::find(std::string_view kind) const {
  static const Kind none;
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? none : found->second;
}

std::span<const Node> NamedObjects::of(std::string_view kind) const { return find(kind).objects; }

const Names& NamedObjects::names(std::string_view kind) const { return find(kind).names; }

Names NamedObjects::names(std::string_view kind, Node user) const {
  const Kind& all = find(kind);
  const auto home = stated_namespace(user);
  if (!home || all.has_open_names || facts_of_kind(kind).is_cluster_wide) return all.names;
  Positions positions;
  for (const auto& space : {home, std::optional<std::string>()}) {
    const auto found = all.by_namespace.find(space);
    if (found == all.by_namespace.end()) continue;
    positions.insert(positions.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(positions);
  Names names;
  for (const std::size_t position : positions) names.push_back(all.names[position]);
  return names;
}

bool NamedObjects::has(std::string_view kind, std::string_view name, Node user) const {
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name);
  if (all.has_open_names || found == all.by_name.end()) return false;
  const auto home = stated_namespace(user);
  if (!home || facts_of_kind(kind).is_cluster_wide) return true;
  return std::ranges::any_of(found->second, [&](std::size_t position) {
    const auto space = stated_namespace(all.named[position]);
    return !space || *home == *space;
  });
}

Names NamedObjects::names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                    const Field<std::string>& home) const {
  Names names;
  if (!name.is_known() || !home.is_known()) return names;
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name.value());
  if (found == all.by_name.end()) return names;
  for (const std::size_t position : found->second) {
    const Node metadata = all.named[position].get("metadata");
    const Field<std::string> space = read_string(metadata, "namespace");
    if (!space.is_known() || space.value() == home.value()) return {};
    names.push_back({space.value() + "/" + name.value(), metadata.get("namespace")});
  }
  return names;
}

}  // namespace gpulint
