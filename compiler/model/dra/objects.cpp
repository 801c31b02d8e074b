#include "compiler/model/dra/objects.h"

#include <optional>
#include <string>

#include "compiler/model/go_json.h"

namespace gpulint::dra {
namespace {

/// Decodes fields and remembers whether one of them was unknown.
class Reader {
 public:
  [[nodiscard]] bool is_open() const { return is_open_; }
  void leave_open() { is_open_ = true; }

  [[nodiscard]] std::string text(Node node);
  [[nodiscard]] bool truth(Node node);
  [[nodiscard]] std::int64_t number(Node node, std::int64_t fallback);
  [[nodiscard]] std::optional<Quantity> quantity(Node node);
  /// The items of a list, or empty; a placeholder in its place is unknown.
  [[nodiscard]] std::vector<Node> items(Node node);
  /// The members of a mapping with known keys.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members(Node node);
  [[nodiscard]] Amounts amounts(Node node, bool has_values);
  [[nodiscard]] NodeChoice nodes(Node node);

 private:
  template <class T>
  void note(const Field<T>& field) {
    is_open_ = is_open_ || field.is_opaque() || field.is_mistyped();
  }
  bool is_open_ = false;
};

[[nodiscard]] Selectors read_selectors(Reader& reader, Node list) {
  Selectors selectors;
  for (const Node item : reader.items(list)) {
    const Node expression = item.at("cel", "expression");
    const Field<std::string> text = decode_string(expression);
    if (text.is_known()) {
      selectors.push_back({expression, std::make_shared<const cel::Selector>(text.value())});
    } else {
      reader.leave_open();
    }
  }
  return selectors;
}

[[nodiscard]] Toleration read_toleration(Reader& reader, Node node) {
  return {reader.text(node.get("key")), reader.text(node.get("operator")),
          reader.text(node.get("value")), reader.text(node.get("effect"))};
}

/// `node`: the mapping with deviceClassName and so on; `name`: of its request or alternative.
[[nodiscard]] Wanted read_wanted(Reader& reader, Node node, std::string name) {
  Wanted wanted;
  wanted.node = node;
  wanted.name = std::move(name);
  if (!node.resolved().is_mapping()) reader.leave_open();
  wanted.device_class = reader.text(node.get("deviceClassName"));
  wanted.selectors = read_selectors(reader, node.get("selectors"));
  const std::string mode = reader.text(node.get("allocationMode"));
  wanted.all = mode == "All";
  if (!mode.empty() && mode != "All" && mode != "ExactCount") reader.leave_open();
  wanted.count = reader.number(node.get("count"), 1);
  if (wanted.count == 0) wanted.count = 1;
  if (wanted.count < 0) reader.leave_open();
  wanted.is_admin = reader.truth(node.get("adminAccess"));
  for (const Node toleration : reader.items(node.get("tolerations"))) {
    wanted.tolerations.push_back(read_toleration(reader, toleration));
  }
  wanted.capacity = reader.amounts(node.at("capacity", "requests"), false);
  if (wanted.device_class.empty() || node.get("derivedAttributes")) reader.leave_open();
  return wanted;
}

[[nodiscard]] Request read_request(Reader& reader, Node node) {
  Request request;
  request.name = reader.text(node.get("name"));
  const Node exactly = node.get("exactly");
  const Node choice = node.get("firstAvailable");
  if (exactly && choice) reader.leave_open();
  request.is_choice = static_cast<bool>(choice);
  if (!choice) {
    // v1beta1 has no `exactly`.
    request.alternatives.push_back(read_wanted(reader, exactly ? exactly : node, request.name));
    return request;
  }
  for (const Node alternative : reader.items(choice)) {
    request.alternatives.push_back(
        read_wanted(reader, alternative, reader.text(alternative.get("name"))));
  }
  if (request.alternatives.empty()) reader.leave_open();
  return request;
}

[[nodiscard]] Constraint read_constraint(Reader& reader, Node node) {
  Constraint constraint;
  for (const Node request : reader.items(node.get("requests"))) {
    constraint.requests.push_back(reader.text(request));
  }
  const Node same = node.get("matchAttribute");
  const Node distinct = node.get("distinctAttribute");
  constraint.is_distinct = static_cast<bool>(distinct);
  constraint.attribute = reader.text(distinct ? distinct : same);
  if (constraint.attribute.empty() || (same && distinct)) reader.leave_open();
  return constraint;
}

template <class T, class Read>
[[nodiscard]] std::vector<T> read_all(Reader& reader, Node list, Read read) {
  std::vector<T> values;
  for (const Node item : reader.items(list)) values.push_back(read(item));
  return values;
}

[[nodiscard]] cel::Attribute read_attribute(Reader& reader, Node node) {
  const auto members = reader.members(node);
  if (members.size() != 1) {
    reader.leave_open();
    return {};
  }
  const auto& [kind, value] = members.front();
  const auto text = [&](Node item) { return reader.text(item); };
  const auto version = [&](Node item) { return cel::VersionText{reader.text(item)}; };
  const auto number = [&](Node item) { return reader.number(item, 0); };
  const auto truth = [&](Node item) { return reader.truth(item); };
  if (kind == "string") return text(value);
  if (kind == "version") return version(value);
  if (kind == "int") return number(value);
  if (kind == "bool") return truth(value);
  if (kind == "strings") return read_all<std::string>(reader, value, text);
  if (kind == "versions") return read_all<cel::VersionText>(reader, value, version);
  if (kind == "ints") return read_all<std::int64_t>(reader, value, number);
  if (kind == "bools") return read_all<bool>(reader, value, truth);
  reader.leave_open();
  return {};
}

[[nodiscard]] Capacity read_capacity(Reader& reader, const std::string& name, Node node) {
  Capacity capacity;
  capacity.name = name;
  capacity.value = reader.quantity(node.get("value")).value_or(Quantity());
  if (!node.get("value")) reader.leave_open();
  const Node policy = node.get("requestPolicy");
  if (!policy || is_json_null(policy)) return capacity;
  capacity.has_policy = true;
  capacity.fallback = reader.quantity(policy.get("default"));
  for (const Node value : reader.items(policy.get("validValues"))) {
    capacity.values.push_back(reader.quantity(value).value_or(Quantity()));
  }
  const Node range = policy.get("validRange");
  capacity.has_range = static_cast<bool>(range) && !is_json_null(range);
  if (!capacity.has_range) return capacity;
  capacity.minimum = reader.quantity(range.get("min"));
  capacity.maximum = reader.quantity(range.get("max"));
  capacity.step = reader.quantity(range.get("step"));
  // schedulers round these differently, with DRAFractionalCapacityRange or without
  for (const auto* bound : {&capacity.minimum, &capacity.maximum, &capacity.step}) {
    if (*bound && **bound != Quantity::of((*bound)->value())) reader.leave_open();
  }
  const bool steps_nowhere = capacity.step && capacity.step->value() <= 0;
  if (!capacity.minimum || capacity.minimum->is_negative() || steps_nowhere) reader.leave_open();
  return capacity;
}

[[nodiscard]] Taint read_taint(Reader& reader, Node node) {
  return {reader.text(node.get("key")), reader.text(node.get("value")),
          reader.text(node.get("effect"))};
}

void read_counters(Reader& reader, Node list, std::string_view name, std::vector<Counters>& into) {
  for (const Node item : reader.items(list)) {
    into.push_back({reader.text(item.get(name)), reader.amounts(item.get("counters"), true)});
    // newer than what is supported here
    if (item.get("compatibilityGroups")) reader.leave_open();
  }
}

[[nodiscard]] Device read_device(Node node, const std::string& driver) {
  Reader reader;
  Device device;
  device.node = node;
  device.name = reader.text(node.get("name"));
  const Node basic = node.get("basic");  // v1beta1
  const Node body = basic ? basic : node;
  device.view.driver = driver;
  for (const auto& [name, value] : reader.members(body.get("attributes"))) {
    device.view.attributes.emplace_back(name, read_attribute(reader, value));
  }
  for (const auto& [name, value] : reader.members(body.get("capacity"))) {
    device.capacity.push_back(read_capacity(reader, name, value));
    device.view.capacity.emplace_back(name, device.capacity.back().value);
  }
  device.allows_many = reader.truth(body.get("allowMultipleAllocations"));
  device.view.allows_many = device.allows_many;
  device.variable = cel::device_value(device.view);
  device.nodes = reader.nodes(body);
  for (const Node taint : reader.items(body.get("taints"))) {
    device.taints.push_back(read_taint(reader, taint));
  }
  read_counters(reader, body.get("consumesCounters"), "counterSet", device.uses);
  device.has_conditions = static_cast<bool>(body.get("bindingConditions"));
  device.is_open = reader.is_open() || node.is_opaque() || device.name.empty();
  return device;
}

[[nodiscard]] std::optional<std::string> read_optional(Reader& reader, Node node) {
  if (!node || is_json_null(node)) return std::nullopt;
  return reader.text(node);
}

}  // namespace

std::string Reader::text(Node node) {
  const Field<std::string> field = decode_string(node);
  note(field);
  return field.value_or("");
}

bool Reader::truth(Node node) {
  const Field<bool> field = decode_bool(node);
  note(field);
  return field.value_or(false);
}

std::int64_t Reader::number(Node node, std::int64_t fallback) {
  const Field<std::int64_t> field = decode_int(node);
  note(field);
  return field.value_or(fallback);
}

std::optional<Quantity> Reader::quantity(Node node) {
  if (!node || is_json_null(node)) return std::nullopt;
  std::optional<Quantity> read;
  if (node.is_scalar() && !node.is_opaque()) read = Quantity::parse(node.text());
  if (!read) leave_open();
  return read;
}

std::vector<Node> Reader::items(Node node) {
  if (!node || is_json_null(node)) return {};
  const Node resolved = node.resolved();
  if (node.is_opaque() || !resolved.is_sequence()) leave_open();
  std::vector<Node> read = resolved.items();
  for (const Node item : read) {
    if (item.is_opaque()) leave_open();
  }
  return read;
}

std::vector<std::pair<std::string, Node>> Reader::members(Node node) {
  std::vector<std::pair<std::string, Node>> read;
  if (!node || is_json_null(node)) return read;
  if (node.is_opaque() || !node.resolved().is_mapping()) leave_open();
  for (const JsonMember& member : decode_object(node)) {
    if (member.opaque_key) leave_open();
    read.emplace_back(member.key, member.value);
  }
  return read;
}

Amounts Reader::amounts(Node node, bool has_values) {
  Amounts read;
  for (const auto& [name, value] : members(node)) {
    const auto amount = quantity(has_values ? value.get("value") : value);
    if (amount) {
      read.emplace_back(name, *amount);
    } else {
      leave_open();
    }
  }
  return read;
}

NodeChoice Reader::nodes(Node node) {
  NodeChoice choice;
  choice.name = text(node.get("nodeName"));
  choice.is_everywhere = truth(node.get("allNodes"));
  const Node selector = node.get("nodeSelector");
  if (selector && !is_json_null(selector)) choice.selector = selector;
  if (selector.is_opaque()) leave_open();
  return choice;
}

DeviceClass read_device_class(Node object) {
  Reader reader;
  DeviceClass made;
  made.node = object;
  made.name = object_name(object);
  made.selectors = read_selectors(reader, object.at("spec", "selectors"));
  made.created = decode_string(object.at("metadata", "creationTimestamp")).value_or("");
  Reader resource;
  made.extended_resource = resource.text(object.at("spec", "extendedResourceName"));
  made.is_resource_open = resource.is_open() || object.get("spec").is_opaque();
  made.is_open = reader.is_open() || object.get("spec").is_opaque();
  return made;
}

Claim read_claim_spec(Node spec) {
  Reader reader;
  Claim claim;
  claim.node = spec;
  const Node devices = spec.get("devices");
  for (const Node request : reader.items(devices.get("requests"))) {
    claim.requests.push_back(read_request(reader, request));
  }
  for (const Node constraint : reader.items(devices.get("constraints"))) {
    claim.constraints.push_back(read_constraint(reader, constraint));
  }
  claim.is_open = reader.is_open() || spec.is_opaque() || devices.is_opaque();
  return claim;
}

std::vector<Holding> read_holdings(Node claim) {
  std::string pod;
  for (const Node owner : claim.at("metadata", "ownerReferences").items()) {
    if (!decode_string(owner.get("kind")).equals("Pod")) continue;
    pod = object_namespace(claim) + "/" + decode_string(owner.get("name")).value_or("");
  }
  std::vector<Holding> holdings;
  for (const Node result : claim.at("status", "allocation", "devices", "results").items()) {
    Reader reader;
    if (reader.truth(result.get("adminAccess"))) continue;
    Holding held{reader.text(result.get("driver")),
                 reader.text(result.get("pool")),
                 reader.text(result.get("device")),
                 pod,
                 false,
                 {}};
    held.is_share = !reader.text(result.get("shareID")).empty();
    if (held.is_share) held.capacity = reader.amounts(result.get("consumedCapacity"), false);
    if (!reader.is_open()) holdings.push_back(std::move(held));
  }
  return holdings;
}

Claim read_claim(Node object) {
  const bool is_template = decode_string(object.get("kind")).equals("ResourceClaimTemplate");
  Claim claim = read_claim_spec(is_template ? object.at("spec", "spec") : object.get("spec"));
  claim.node = object;
  claim.name = object_name(object);
  // if the claim is allocated, its devices decide, not what is free
  if (object.at("status", "allocation")) claim.is_open = true;
  return claim;
}

TaintRule read_taint_rule(Node object) {
  Reader reader;
  TaintRule rule;
  const Node spec = object.get("spec");
  const Node selector = spec.get("deviceSelector");
  rule.has_selector = static_cast<bool>(selector) && !is_json_null(selector);
  rule.driver = read_optional(reader, selector.get("driver"));
  rule.pool = read_optional(reader, selector.get("pool"));
  rule.device = read_optional(reader, selector.get("device"));
  rule.taint = read_taint(reader, spec.get("taint"));
  // until Kubernetes 1.34 rules also selected by class and expression
  const bool selects_more = selector.get("deviceClassName") || selector.get("selectors");
  rule.is_open = reader.is_open() || spec.is_opaque() || selector.is_opaque() || selects_more;
  return rule;
}

Slice read_slice(Node object) {
  Reader reader;
  Slice slice;
  slice.node = object;
  slice.name = object_name(object);
  const Node spec = object.get("spec");
  const Node pool = spec.get("pool");
  slice.driver = reader.text(spec.get("driver"));
  slice.pool = reader.text(pool.get("name"));
  slice.generation = reader.number(pool.get("generation"), 0);
  slice.count = reader.number(pool.get("resourceSliceCount"), 0);
  slice.nodes = reader.nodes(spec);
  slice.chooses_per_device = reader.truth(spec.get("perDeviceNodeSelection"));
  for (const Node device : reader.items(spec.get("devices"))) {
    slice.devices.push_back(read_device(device, slice.driver));
  }
  read_counters(reader, spec.get("sharedCounters"), "name", slice.counters);
  slice.is_open = reader.is_open() || spec.is_opaque() || slice.driver.empty();
  return slice;
}

}  // namespace gpulint::dra
