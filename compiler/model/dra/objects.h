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

// Objects of resource.k8s.io as far as they decide which devices a pod gets. Fields that are
// opaque, mistyped or newer than what is read here make the thing they belong to `is_open`: it may
// be anything. Facts: k8s.io/api v0.37 resource/v1; v1beta1 and v1beta2 are read alike.

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

/// The nodes that a slice or a device is for.
struct NodeChoice {
  std::string name;
  bool is_everywhere = false;
  Node selector;  ///< A NodeSelector; nothing where absent.

  [[nodiscard]] bool is_given() const {
    return !name.empty() || is_everywhere || static_cast<bool>(selector);
  }
};

using Amounts = std::vector<std::pair<std::string, Quantity>>;

/// A capacity that requests may take a part of.
struct Capacity {
  std::string name;
  Quantity value;
  bool has_policy = false;
  std::optional<Quantity> fallback;  ///< What a request takes that names no amount.
  std::vector<Quantity> values;      ///< The only ones that may be taken.
  bool has_range = false;
  std::optional<Quantity> minimum;
  std::optional<Quantity> maximum;
  std::optional<Quantity> step;
};

/// Named counters: those of a counter set, or what a device takes of one.
struct Counters {
  std::string set;
  Amounts amounts;
};

struct Device {
  Node node;
  std::string name;
  cel::DeviceView view;
  cel::Value variable;  ///< What selectors see of the view.
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
  std::int64_t count = 0;  ///< How many slices the pool has.
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
  std::string extended_resource;  ///< That its devices serve, too; empty: none.
  bool is_resource_open = false;  ///< It may be any.
  std::string created;            ///< metadata.creationTimestamp; empty: not given.
  bool may_select = false;        ///< Some device of the Inventory that it is in.
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

/// A device that a ResourceClaim has got.
struct Holding {
  std::string driver;
  std::string pool;
  std::string device;
  std::string pod;  ///< The pod that the claim was made for, as `namespace/name`; empty: none.
  bool is_share = false;  ///< Others may have what it leaves.
  Amounts capacity;       ///< Of a share.
};

/// What one request, or one alternative of it, asks for.
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

/// What a ResourceClaim has got; admin access takes nothing. Facts: the scheduler's
/// dynamicresources/allocateddevices.go of Kubernetes 1.37.
[[nodiscard]] std::vector<Holding> read_holdings(Node claim);

/// A ResourceClaim (one that is allocated already is open) or a ResourceClaimTemplate.
[[nodiscard]] Claim read_claim(Node object);

/// A claim's spec by itself.
[[nodiscard]] Claim read_claim_spec(Node spec);

}  // namespace gpulint::dra
