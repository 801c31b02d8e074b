#include "compiler/api_validation/validate_metadata.h"

#include <string_view>

#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

void validate_annotations(Node annotations, const std::string& path, ApiReport& report) {
  for (const LabelEntry& entry : read_string_map(annotations)) {
    if (entry.key.node.is_opaque()) continue;
    for (const std::string& problem : label_key_problems(to_lower(entry.key.value))) {
      report.invalid(ApiIssue::annotation_key, entry.key.node, path, entry.key.value, problem);
    }
  }
}

void validate_name(Node metadata, Node owner, ApiReport& report) {
  const Field<std::string> name = read_string(metadata, "name");
  const Field<std::string> prefix = read_string(metadata, "generateName");
  const auto text = certain_text(name);
  const auto prefix_text = certain_text(prefix);
  if (!text || !prefix_text) return;
  if (!prefix_text->empty()) {
    // The server checks the prefix as if its last hyphen were a letter.
    std::string sample(*prefix_text);
    if (sample.size() > 1 && sample.ends_with('-')) sample.replace(sample.size() - 2, 2, "a");
    for (const std::string& problem : dns_subdomain_problems(sample)) {
      report.invalid(ApiIssue::object_name, prefix.node(), "metadata.generateName", *prefix_text,
                     problem);
    }
  }
  if (text->empty()) {
    if (!prefix_text->empty()) return;
    report.required(ApiIssue::object_name, metadata ? metadata : owner, "metadata.name",
                    "name or generateName is required");
    return;
  }
  for (const std::string& problem : dns_subdomain_problems(*text)) {
    report.invalid(ApiIssue::object_name, name.node(), "metadata.name", *text, problem);
  }
}

}  // namespace

void validate_object_metadata(Node object, Namespacing namespacing, ApiReport& report) {
  const Node metadata = object.get("metadata");
  validate_name(metadata, object, report);
  const Field<std::string> name_space = read_string(metadata, "namespace");
  if (namespacing == Namespacing::namespaced && name_space.is_known()) {
    for (const std::string& problem : dns_label_problems(name_space.value())) {
      if (name_space.value().empty()) break;
      report.invalid(ApiIssue::object_namespace, name_space.node(), "metadata.namespace",
                     name_space.value(), problem);
    }
  }
  validate_labels(read_string_map(metadata.get("labels")), "metadata.labels", report);
  validate_annotations(metadata.get("annotations"), "metadata.annotations", report);
}

void validate_template_metadata(Node template_node, const std::string& path, ApiReport& report) {
  const Node metadata = template_node.get("metadata");
  validate_labels(read_string_map(metadata.get("labels")), path + ".labels", report);
  validate_annotations(metadata.get("annotations"), path + ".annotations", report);
}

}  // namespace gpulint
