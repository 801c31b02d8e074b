#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"

namespace gpulint {

/// How much of a JSON document is kept. By default all: what a cluster gives back is mostly what it
/// writes down for itself.
struct Reading {
  /// Without metadata.managedFields and, of a status, images, conditions and containers' statuses:
  /// no rule reads them. Of objects that are a document or stand in its `items`.
  bool leaves_out_records = false;
  /// Where this is not null: of the pods in `items` that a ReplicaSet, Job … made of one template
  /// the first that is bound to a node is kept and the first that is not. By kept pods: how many
  /// others there are like them.
  std::map<NodeIndex, std::uint32_t>* pods_alike = nullptr;
};

/// Whether the entry `key` of `in` ("metadata", "status") is one that is left out.
[[nodiscard]] bool is_record(std::string_view in, std::string_view key);

/// What the pods of one template have in common that only the owner's controller writes; empty
/// where the object is no such pod.
[[nodiscard]] std::string template_of_pod(const Document& document, NodeIndex object);

/// Behind a JSON value that begins at `at`, which is not looked into; null where it has no end.
[[nodiscard]] const char* behind_json_value(const char* at, const char* end);

}  // namespace gpulint
