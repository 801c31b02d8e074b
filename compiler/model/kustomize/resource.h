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

/// The identity of an object in kustomize.
struct ResourceId {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;
  friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
[[nodiscard]] ResourceId id_of(Node object);

/// An object while kustomizations are applied to it.
struct Resource {
  KubernetesObject source;      ///< As written.
  std::optional<Value> tree;    ///< The current state; nullopt while nothing has changed it.
  std::vector<ResourceId> ids;  ///< As written, and each later one: patches may name any of them.
  std::string affixes;          ///< Its prefixes and suffixes, to distinguish equal names.
  bool is_patched = false;
  bool is_deleted = false;    ///< By a patch; later patches do not find it.
  bool is_uncertain = false;  ///< A patch with an unknown effect was for it.
};

/// Finds resources by name; clear it when names change.
class ResourceIndex {
 public:
  explicit ResourceIndex(const std::vector<Resource>& resources) : resources_(resources) {}

  /// The resources that have or had this identity, in order.
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

  /// Whether a patch for the target is for the resource; nullopt if that is unknown.
  [[nodiscard]] std::optional<bool> selects(const Resource& resource) const;

 private:
  struct Patterns;
  [[nodiscard]] std::optional<bool> matches(const ResourceId& id) const;

  const Target& target_;
  std::unique_ptr<const Patterns> patterns_;
};

}  // namespace gpulint::kustomize
