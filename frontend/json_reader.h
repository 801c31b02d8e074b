#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/document_text.h"

namespace gpulint {

/// How much of a JSON document is kept. By default all: what a cluster gives back is mostly what it
/// writes down for itself.
struct Reading {
  /// Without metadata.managedFields and, of a status, images, conditions and containers' statuses:
  /// no rule reads them. Applies to objects that are a document or in its `items`.
  bool leaves_out_records = false;
  /// Where this is not null: of the pods in `items` that a ReplicaSet, Job … made of one template
  /// the first that is bound to a node is kept and the first that is not. By kept pods: how many
  /// others there are like them.
  std::map<NodeIndex, std::uint32_t>* pods_alike = nullptr;
};

/// Reads a document that is strict JSON (RFC 8259) into `document`, whose nodes are empty. False
/// where the text is something else, YAML for instance; nothing has been added then.
[[nodiscard]] bool read_json(std::string_view text, const DocumentText& where, Document& document,
                             const Reading& reading = {});

/// The same for JSON with comments of YAML behind it, and nothing else.
[[nodiscard]] bool read_commented_json(std::string_view text, const DocumentText& where,
                                       Document& document);

}  // namespace gpulint
