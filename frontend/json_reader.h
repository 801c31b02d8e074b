#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/document_text.h"

namespace gpulint {

/// How much of a JSON document to keep. By default everything; most of a cluster's export is its
/// own records.
struct Reading {
  /// Leaves out metadata.managedFields and, in a status, images, conditions and containers'
  /// statuses, which no rule reads. Applies to objects that are a document or in its `items`.
  bool leaves_out_records = false;
  /// If not null: of the pods in `items` that a ReplicaSet, Job … created from one template, keeps
  /// the first that is bound to a node and the first that is not. The map counts, for each kept
  /// pod, the pods left out because they are like it.
  std::map<NodeIndex, std::uint32_t>* pods_alike = nullptr;
};

/// Reads a document that is strict JSON (RFC 8259) into `document`, whose nodes are empty. Returns
/// false, and adds nothing, if the text is something else, for instance YAML.
[[nodiscard]] bool read_json(std::string_view text, const DocumentText& where, Document& document,
                             const Reading& reading = {});

/// The same for JSON that is followed only by YAML comments.
[[nodiscard]] bool read_commented_json(std::string_view text, const DocumentText& where,
                                       Document& document);

}  // namespace gpulint
