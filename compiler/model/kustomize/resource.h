#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/kustomize/kustomization.h"
#include "compiler/model/kustomize/tree.h"
#include "compiler/model/objects.h"

namespace gpulint::kustomize {

/// What kustomize knows an object by.
struct ResourceId {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;
  friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
[[nodiscard]] ResourceId id_of(Node object);

/// An object on its way through the kustomizations.
struct Resource {
  KubernetesObject source;      ///< As it was written.
  std::optional<Value> tree;    ///< As it is by now; none while nothing has changed it.
  std::vector<ResourceId> ids;  ///< As written, and each that it has had since: patches name any.
  std::string affixes;          ///< The prefixes and suffixes it got, to tell namesakes apart.
  bool is_patched = false;
  bool is_deleted = false;    ///< By a patch; no later one finds it.
  bool is_uncertain = false;  ///< A patch was meant for it whose effect is not known.
};

/// Finds resources by name; to be cleared where names change.
class ResourceIndex {
 public:
  explicit ResourceIndex(const std::vector<Resource>& resources) : resources_(resources) {}

  /// Those that have or had this identity, in order.
  [[nodiscard]] std::vector<std::size_t> find(const ResourceId& wanted);
  void clear() { by_name_.clear(); }

 private:
  const std::vector<Resource>& resources_;
  std::multimap<std::string_view, std::size_t> by_name_;
};

/// The patterns of a target, compiled once.
class Selector {
 public:
  explicit Selector(const Target& target);
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;
  ~Selector();

  /// Whether a patch for the target is meant for the resource; nullopt where that is not known.
  [[nodiscard]] std::optional<bool> selects(const Resource& resource) const;

 private:
  struct Patterns;
  [[nodiscard]] std::optional<bool> matches(const ResourceId& id) const;

  const Target& target_;
  std::unique_ptr<const Patterns> patterns_;
};

}  // namespace gpulint::kustomize
