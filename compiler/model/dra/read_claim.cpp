#include "compiler/model/dra/reader.h"
#include "compiler/model/go_json.h"

namespace gpulint::dra {
namespace {

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

/// `node`: what holds deviceClassName and so on; `name` its request's or alternative's.
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

}  // namespace

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
  // Where it is allocated, that decides, and not what is free.
  if (object.at("status", "allocation")) claim.is_open = true;
  return claim;
}

}  // namespace gpulint::dra
