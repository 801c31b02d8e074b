#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/cel/selector.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/quantity.h"

namespace gpulint::dra {

// Objects of resource.k8s.io with the fields that decide which devices a pod receives. Fields that
// are opaque, mistyped or not supported here set `is_open` of their object: it may be anything.
// Facts: k8s.io/api v0.37 resource/v1; v1beta1 and v1beta2 are read in the same way.

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
};

struct Toleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;
};

/// The nodes of a slice or a device.
struct NodeChoice {
  std::string name;
  bool is_everywhere = false;
  Node selector;  ///< A NodeSelector; null if absent.

  [[nodiscard]] bool is_given() const {
    return !name.empty() || is_everywhere || static_cast<bool>(selector);
  }
};

using Amounts = std::vector<std::pair<std::string, Quantity>>;

/// A capacity that requests may use in part.
struct Capacity {
  std::string name;
  Quantity value;
  bool has_policy = false;
  std::optional<Quantity> fallback;  ///< What a request without an amount takes.
  std::vector<Quantity> values;      ///< The only valid amounts.
  bool has_range = false;
  std::optional<Quantity> minimum;
  std::optional<Quantity> maximum;
  std::optional<Quantity> step;
};

/// Named counters: those of a counter set, or what a device uses of one.
struct Counters {
  std::string set;
  Amounts amounts;
};

struct Device {
  Node node;
  std::string name;
  cel::DeviceView view;
  cel::Value variable;  ///< The view as selectors see it.
  NodeChoice nodes;
  std::vector<Taint> taints;
  std::vector<Counters> uses;
  std::vector<Capacity> capacity;
  bool allows_many = false;
  bool has_conditions = false;  ///< Binding conditions: such pools come last.
  bool is_open = false;
};

struct Slice {
  Node node;
  std::string name;
  std::string driver;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t count = 0;  ///< The number of slices in the pool.
  NodeChoice nodes;
  bool chooses_per_device = false;
  std::vector<Device> devices;
  std::vector<Counters> counters;
  bool is_open = false;
};

struct DeviceSelector {
  Node expression;  ///< Where it is written.
  std::shared_ptr<const cel::Selector> cel;
};

using Selectors = std::vector<DeviceSelector>;

struct DeviceClass {
  Node node;
  std::string name;
  Selectors selectors;
  std::string extended_resource;  ///< A resource that its devices also serve; empty: none.
  bool is_resource_open = false;  ///< It may be any resource.
  std::string created;            ///< metadata.creationTimestamp; empty: not set.
  bool may_select = false;        ///< It may select some device of its Inventory.
  bool is_open = false;
};

/// A DeviceTaintRule. Without `deviceSelector` it taints nothing.
struct TaintRule {
  bool has_selector = false;
  std::optional<std::string> driver;  ///< nullopt: any.
  std::optional<std::string> pool;
  std::optional<std::string> device;
  Taint taint;
  bool is_open = false;
};

/// A device that is allocated to a ResourceClaim.
struct Holding {
  std::string driver;
  std::string pool;
  std::string device;
  std::string pod;  ///< The pod that the claim was made for, as `namespace/name`; empty: none.
  bool is_share = false;  ///< Others may use the rest.
  Amounts capacity;       ///< For a share.
};

/// The demand of one request, or of one alternative of it.
struct Wanted {
  Node node;
  std::string name;
  std::string device_class;
  Selectors selectors;
  bool all = false;  ///< allocationMode: All
  std::int64_t count = 1;
  bool is_admin = false;
  std::vector<Toleration> tolerations;
  Amounts capacity;
};

struct Request {
  std::string name;
  bool is_choice = false;  ///< firstAvailable
  std::vector<Wanted> alternatives;
};

/// matchAttribute, or distinctAttribute.
struct Constraint {
  std::vector<std::string> requests;  ///< Empty: all.
  std::string attribute;
  bool is_distinct = false;
};

struct Claim {
  Node node;
  std::string name;
  std::vector<Request> requests;
  std::vector<Constraint> constraints;
  bool is_open = false;
};

[[nodiscard]] Slice read_slice(Node object);

[[nodiscard]] DeviceClass read_device_class(Node object);

[[nodiscard]] TaintRule read_taint_rule(Node object);

/// The devices allocated to a ResourceClaim; admin access takes nothing. Facts: the scheduler's
/// dynamicresources/allocateddevices.go of Kubernetes 1.37.
[[nodiscard]] std::vector<Holding> read_holdings(Node claim);

/// A ResourceClaim (an allocated one is unknown) or a ResourceClaimTemplate.
[[nodiscard]] Claim read_claim(Node object);

/// A claim's spec by itself.
[[nodiscard]] Claim read_claim_spec(Node spec);

}  // namespace gpulint::dra
