#include "rules/support/custom_resources.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace gpulint::rules {
namespace {

/// Whether the definition is of this object's group and kind, and keeps no unknown fields.
[[nodiscard]] bool defines(Node definition, std::string_view group, std::string_view kind) {
  const Node spec = definition.get("spec");
  return spec.get("group").text() == group && spec.at("names", "kind").text() == kind &&
         spec.get("preserveUnknownFields").text() != "true";
}

/// `openAPIV3Schema` of one version; nothing where it has none.
[[nodiscard]] Node schema_of_version(Node definition, std::string_view version) {
  for (const Node served : definition.at("spec", "versions").items()) {
    if (served.get("name").text() == version) return served.at("schema", "openAPIV3Schema");
  }
  return {};
}

/// The definition's schema with the fields that every object has.
[[nodiscard]] Schema read_object_schema(Node open_api) {
  Schema schema = read_schema(open_api);
  if (schema.type != Schema::Type::section) return schema;
  std::erase_if(schema.fields, [](const Schema::Field& field) {
    return field.name == "status" || field.name == "metadata";
  });
  for (const std::string_view name : {"apiVersion", "kind", "metadata", "status"}) {
    if (schema.find(name) == nullptr) {
      schema.fields.push_back({.name = std::string(name), .schema = {}});
    }
  }
  return schema;
}

/// The definition of the object among these, with the schema of its version.
[[nodiscard]] std::pair<Node, Node> find_definition(const std::vector<Node>& definitions,
                                                    const KubernetesObject& object) {
  const std::string& version = object.api_version.value();
  const std::size_t slash = version.find('/');
  if (slash == std::string::npos) return {};
  const std::string_view group = std::string_view(version).substr(0, slash);
  const auto found = std::ranges::find_if(definitions, [&](Node definition) {
    return defines(definition, group, object.kind.value());
  });
  if (found == definitions.end()) return {};
  return {*found, schema_of_version(*found, std::string_view(version).substr(slash + 1))};
}

}  // namespace

std::vector<CustomResource> find_custom_resources(const Corpus& corpus) {
  std::vector<Node> definitions;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("CustomResourceDefinition")) continue;
    if (object.api_version.equals("apiextensions.k8s.io/v1")) definitions.push_back(object.node);
  }
  std::vector<CustomResource> found;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.api_version.is_known() || !object.kind.is_known()) continue;
    const auto [definition, open_api] = find_definition(definitions, object);
    const OperatorKeys* const keys = find_operator_keys(object);
    CustomResource resource;
    resource.object = &object;
    resource.value = object.node;
    resource.keys = keys;
    if (open_api) {
      resource.definition = definition;
      resource.schema = read_object_schema(open_api);
    } else if (keys != nullptr) {
      resource.value = object.node.get("spec");
      resource.prefix = "spec";
      resource.schema = parse_schema(keys->keys);
    } else {
      continue;
    }
    if (resource.value) found.push_back(std::move(resource));
  }
  return found;
}

std::string path_below(const std::string& prefix, const std::string& path) {
  if (prefix.empty() || path.empty()) return prefix + path;
  return fmt::format("{}.{}", prefix, path);
}

}  // namespace gpulint::rules
