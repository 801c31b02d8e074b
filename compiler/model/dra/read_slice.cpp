#include "compiler/model/dra/reader.h"
#include "compiler/model/go_json.h"

namespace gpulint::dra {
namespace {

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
  // Schedulers round those differently, with DRAFractionalCapacityRange or without.
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
    // Newer than what is read here.
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
  // Until Kubernetes 1.34 rules selected by class and expression, too.
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
