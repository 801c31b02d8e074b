#include "compiler/model/kustomize/resource.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <re2/re2.h>

#include "compiler/base/text.h"

namespace gpulint::kustomize {
namespace {

[[nodiscard]] std::string_view label_of(const Resource& resource, std::string_view key) {
  if (!resource.tree) return resource.source.node.at("metadata", "labels", key).text();
  const Value* metadata = resource.tree->find("metadata");
  const Value* labels = metadata == nullptr ? nullptr : metadata->find("labels");
  return labels == nullptr ? std::string_view{} : labels->text(key);
}

/// `a=b,c!=d,e`; nullopt for anything else.
[[nodiscard]] std::optional<bool> has_labels(const Resource& resource, std::string_view selector) {
  if (selector.find_first_of("()") != std::string_view::npos) return std::nullopt;
  bool all = true;
  while (!selector.empty()) {
    std::string_view part = trim(take_part(selector, ','));
    const std::size_t sign = part.find_first_of("=!");
    const std::string_view key = trim(part.substr(0, sign));
    if (sign == std::string_view::npos) {
      all = all && !label_of(resource, key).empty();
      continue;
    }
    const bool is_negated = part[sign] == '!';
    part.remove_prefix(std::min(part.find_first_not_of("=!", sign), part.size()));
    if (key.empty()) return std::nullopt;
    all = all && (label_of(resource, key) == trim(part)) != is_negated;
  }
  return all;
}

}  // namespace

ResourceId id_of(Node object) {
  const Node metadata = object.get("metadata");
  return {.api_version = std::string(object.get("apiVersion").text()),
          .kind = std::string(object.get("kind").text()),
          .name = std::string(metadata.get("name").text()),
          .name_space = std::string(metadata.get("namespace").text())};
}

std::vector<std::size_t> ResourceIndex::find(const ResourceId& wanted) {
  if (by_name_.empty()) {
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      for (const ResourceId& id : resources_[i].ids) by_name_.emplace(id.name, i);
    }
  }
  const auto effective = [](const std::string& name_space) -> std::string_view {
    return name_space.empty() ? std::string_view("default") : name_space;
  };
  const auto is_wanted = [&](const ResourceId& id) {
    return id.api_version == wanted.api_version && id.kind == wanted.kind &&
           id.name == wanted.name && effective(id.name_space) == effective(wanted.name_space);
  };
  std::vector<std::size_t> found;
  const auto [begin, end] = by_name_.equal_range(wanted.name);
  for (auto at = begin; at != end; ++at) {
    const bool is_new = found.empty() || found.back() != at->second;
    if (is_new && std::ranges::any_of(resources_[at->second].ids, is_wanted)) {
      found.push_back(at->second);
    }
  }
  return found;
}

/// As kustomize's api/types/selectorregex.go: whole names, an empty pattern matches all.
struct Selector::Patterns {
  std::array<std::optional<RE2>, 5> each;  ///< Group, version, kind, name, namespace.
};

Selector::Selector(const Target& target) : target_(target) {
  auto patterns = std::make_unique<Patterns>();
  const std::array<const std::string*, 5> texts{&target.group, &target.version, &target.kind,
                                                &target.name, &target.name_space};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]->empty()) patterns->each[i].emplace(*texts[i], RE2::Quiet);
  }
  patterns_ = std::move(patterns);
}

Selector::~Selector() = default;

std::optional<bool> Selector::matches(const ResourceId& id) const {
  const std::string_view version = id.api_version;
  const std::string_view group = version.substr(0, version.rfind('/') + 1);
  const std::array<std::string_view, 5> texts{group.substr(0, group.empty() ? 0 : group.size() - 1),
                                              version.substr(group.size()), id.kind, id.name,
                                              id.name_space};
  bool all = true;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::optional<RE2>& pattern = patterns_->each[i];
    if (!pattern) continue;
    if (!pattern->ok()) return std::nullopt;
    all = all && RE2::FullMatch(texts[i], *pattern);
  }
  return all;
}

std::optional<bool> Selector::selects(const Resource& resource) const {
  bool is_named = false;
  for (const ResourceId& id : resource.ids) {
    const auto one = matches(id);
    if (!one) return std::nullopt;
    is_named = is_named || *one;
  }
  if (!is_named) return false;
  const auto labelled = has_labels(resource, target_.labels);
  if (labelled && !*labelled) return false;
  if (!labelled || target_.has_annotations) return std::nullopt;
  return true;
}

}  // namespace gpulint::kustomize
