#include "compiler/model/kustomize/resource.h"

#include <algorithm>
#include <string_view>

#include <re2/re2.h>

#include "compiler/base/text.h"

namespace gpulint::kustomize {
namespace {

/// As kustomize's api/types/selectorregex.go: whole names, an empty pattern matches all.
[[nodiscard]] std::optional<bool> matches(const std::string& pattern, const std::string& text) {
  if (pattern.empty()) return true;
  const RE2 expression(pattern, RE2::Quiet);
  if (!expression.ok()) return std::nullopt;
  return RE2::FullMatch(text, expression);
}

[[nodiscard]] std::optional<bool> matches_id(const Target& target, const ResourceId& id) {
  const std::size_t slash = id.api_version.find('/');
  const std::string group = slash == std::string::npos ? "" : id.api_version.substr(0, slash);
  const std::string version =
      slash == std::string::npos ? id.api_version : id.api_version.substr(slash + 1);
  bool all = true;
  for (const auto& [pattern, text] :
       {std::pair(&target.group, &group), std::pair(&target.version, &version),
        std::pair(&target.kind, &id.kind), std::pair(&target.name, &id.name),
        std::pair(&target.name_space, &id.name_space)}) {
    const auto one = matches(*pattern, *text);
    if (!one) return std::nullopt;
    all = all && *one;
  }
  return all;
}

[[nodiscard]] std::string_view label_of(const Resource& resource, std::string_view key) {
  const auto added = resource.added_labels.find(std::string(key));
  if (added != resource.added_labels.end()) return added->second;
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

std::optional<bool> selects(const Target& target, const Resource& resource) {
  bool is_named = false;
  for (const ResourceId& id : resource.ids) {
    const auto one = matches_id(target, id);
    if (!one) return std::nullopt;
    is_named = is_named || *one;
  }
  if (!is_named) return false;
  const auto labelled = has_labels(resource, target.labels);
  if (labelled && !*labelled) return false;
  if (!labelled || target.has_annotations) return std::nullopt;
  return true;
}

}  // namespace gpulint::kustomize
