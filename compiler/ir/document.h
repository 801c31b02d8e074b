#pragma once

// ir: one YAML or JSON document as a tree whose nodes know their place in the file. The tree keeps
// raw text; readers convert it as Kubernetes does. It does not know kinds, charts or how the text
// was parsed.

#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/base/span.h"

namespace gpulint {

enum class NodeKind : std::uint8_t { none, scalar, sequence, mapping, alias };

/// How a node is written. Scalars use the first five, collections the last two.
enum class Style : std::uint8_t {
  plain,
  single_quoted,
  double_quoted,
  literal,
  folded,
  block,
  flow
};

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex no_node = UINT32_MAX;

/// One node of a document's arena. Children hang on a list through `next`; a mapping's children
/// are key, value, key, value. There is no null kind: null is a plain scalar (`~`, `null`, or
/// nothing), and readers decide what a plain scalar means.
struct NodeData {
  // what a search for a key reads, side by side
  NodeKind kind = NodeKind::none;
  Style style = Style::plain;
  bool opaque = false;  ///< Its text contains a placeholder that something else fills in later.
  NodeIndex next = no_node;
  std::string_view text;  ///< Of a scalar: its decoded value. Of an alias: its name.
  NodeIndex first_child = no_node;
  NodeIndex child_count = 0;
  NodeIndex parent = no_node;
  NodeIndex key = no_node;     ///< Of a mapping's value: its key.
  NodeIndex target = no_node;  ///< Of an alias: the anchored node.
  std::uint32_t begin = 0;     ///< Byte offsets in the file; quotes included, anchor and tag not.
  std::uint32_t end = 0;
  std::uint32_t properties = UINT32_MAX;  ///< Index into Document::properties.
};

/// Anchor and tag of a node, as written.
struct NodeProperties {
  std::string_view anchor;  ///< Without `&`; empty where there is none.
  std::string_view tag;     ///< Resolved, e.g. `tag:yaml.org,2002:str`; empty where not written.
  std::uint32_t begin = 0;  ///< Where the first of them starts in the file.
  std::vector<NodeIndex> aliases;  ///< Of the anchor, in order.
};

/// A place and a reason why a document could not be read further.
struct SyntaxError {
  Span span;
  std::string message;
  /// `trailing`: after a whole document there is text that Kubernetes never reads.
  /// `dialect`: only Go's readers refuse it; to YAML 1.2, and to other tools, it is right.
  enum class Kind : std::uint8_t { syntax, limit, trailing, dialect } kind = Kind::syntax;
};

/// Maps offsets of text that was decoded out of a scalar (YAML inside a ConfigMap string) back to
/// the file. Pieces are sorted by `decoded`; within a piece offsets run in step.
struct TextOrigin {
  struct Piece {
    std::uint32_t decoded = 0;
    std::uint32_t file = 0;
  };
  std::vector<Piece> pieces;
};

struct Document;

/// Where a node of a document that was put together of others was written.
struct NodeOrigin {
  const Document* document = nullptr;
  NodeIndex index = no_node;
};

/// One YAML or JSON document: an arena of nodes whose spans all point into one file (unless it has
/// `origins`). Stable in memory once made; Node handles point into it.
struct Document {
  FileId file = 0;
  std::uint32_t index = 0;  ///< Position in its file, from 0.
  Span span;                ///< All of its text, markers not included.
  NodeIndex root = no_node;
  std::vector<NodeData> nodes;
  std::vector<NodeProperties> properties;
  std::forward_list<std::string> strings;  ///< Decoded text that differs from the file's bytes.
  std::vector<Span> comments;              ///< From `#` to the end of line, in order.
  std::vector<SyntaxError> errors;  ///< Non-empty: nodes hold what was read before the first one.
  bool is_json = false;
  /// A template that another tool has yet to render (Helm, Jinja, Terraform …): nothing of it was
  /// read; `template_mark` is what gave it away.
  bool is_template = false;
  /// Was read with its placeholders (`[${zone}a]`) as plain text: it is not YAML as written. The
  /// scalars with placeholders are opaque; `template_mark` is the first that is not YAML.
  bool has_masked_placeholders = false;
  Span template_mark;

  /// For text embedded in a scalar of another document: that scalar and document.
  NodeIndex host_node = no_node;
  const Document* host = nullptr;
  TextOrigin origin;  ///< Where the scalar's text is in the file.

  /// Of a document that was put together of others (a base and its patches): for each node the one
  /// that was written, whose file the node's span lies in. Empty for documents as they were read.
  std::vector<NodeOrigin> origins;
};

}  // namespace gpulint
