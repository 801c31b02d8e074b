#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "frontend/json_reader.h"
#include "frontend/stream.h"

namespace gpulint {

// frontend: bytes → documents, Python outlines and task packages. Each node has its exact byte
// range. It does not know what a document means, except for the words in `triggers`, which select
// the text that is worth parsing.

/// Reads one document of a file. Never fails: errors are in Document::errors, and the nodes contain
/// what came before them. A document without content has no root.
[[nodiscard]] std::unique_ptr<Document> parse_document(const SourceFile& file,
                                                       const DocumentText& document,
                                                       const Reading& reading = {});

/// All documents of a file (JSON or a YAML stream), in order. Broken documents have errors and do
/// not affect others.
[[nodiscard]] std::vector<std::unique_ptr<Document>> parse_file(const SourceFile& file);

/// The meaning of `{{ name }}` in a text.
enum class Braces : std::uint8_t {
  directive,  ///< A directive of a template: the text is not YAML.
  value       ///< A name that is replaced by text: an opaque scalar or a part of one.
};

/// The YAML or JSON documents inside a scalar's text (YAML in a ConfigMap string). Their spans
/// point into `file`, which must be the scalar's file. Sets `host` and `host_node`. The host
/// document must outlive them.
[[nodiscard]] std::vector<std::unique_ptr<Document>> parse_embedded(
    Node scalar, const SourceFile& file, Braces braces = Braces::directive);

/// The first document of a scalar's decoded text (base64). It has no places of its own: everything
/// in it is at the scalar's key.
[[nodiscard]] std::unique_ptr<Document> parse_decoded(Node scalar, std::string text);

}  // namespace gpulint
