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
// range. It does not know what a document means, except for the words of `triggers`, which say what
// is worth parsing.

/// Reads one document of a file. Never fails: what could not be read is in Document::errors, and
/// the nodes then hold what came before. A document without content has no root.
[[nodiscard]] std::unique_ptr<Document> parse_document(const SourceFile& file,
                                                       const DocumentText& document,
                                                       const Reading& reading = {});

/// All documents of a file (JSON or a YAML stream), in order. Broken documents carry errors;
/// others are unaffected.
[[nodiscard]] std::vector<std::unique_ptr<Document>> parse_file(const SourceFile& file);

/// What `{{ name }}` in a text is.
enum class Braces : std::uint8_t {
  directive,  ///< A template's, which makes the text no YAML.
  value       ///< Text that is put in its place, name by name: an opaque scalar or a part of one.
};

/// The YAML or JSON documents inside a scalar's text (YAML in a ConfigMap string). Their spans
/// point into `file`, which must be the one that `scalar` comes from; `host` and `host_node` are
/// set. The host document must outlive them.
[[nodiscard]] std::vector<std::unique_ptr<Document>> parse_embedded(
    Node scalar, const SourceFile& file, Braces braces = Braces::directive);

/// The first document of a text that a scalar holds in another form (base64): it has no places of
/// its own, and everything in it is at the scalar's key.
[[nodiscard]] std::unique_ptr<Document> parse_decoded(Node scalar, std::string text);

}  // namespace gpulint
