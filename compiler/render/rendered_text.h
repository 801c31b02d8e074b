#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "frontend/stream.h"

namespace gpulint::render {

/// A rendered text. Each document is parsed at its first use: a build may have megabytes of
/// definitions that no question is about.
class RenderedText {
 public:
  RenderedText(const std::string& name, std::string text);
  /// Adds the documents in its texts (frontend/embedded.h).
  void add_embedded();

  [[nodiscard]] const SourceFile& file() const { return *file_; }
  [[nodiscard]] std::size_t size() const { return documents_.size(); }
  [[nodiscard]] const Document& document(std::size_t i) const;
  /// The text of a document that is not embedded.
  [[nodiscard]] std::string_view text_of(std::size_t i) const;
  /// The document around a place; null if there is none.
  [[nodiscard]] const Document* document_at(std::uint32_t begin) const;

 private:
  std::unique_ptr<SourceFile> file_;
  std::vector<DocumentText> parts_;
  mutable std::vector<std::unique_ptr<Document>>
      documents_;  // first those of `parts_`; null: unread
};

/// What a place in a document is about.
struct Spot {
  enum class Part : std::uint8_t {
    value,  ///< A scalar or a part of it, or a whole collection.
    key,    ///< The key of `node` or a part of it.
    entry   ///< `node` with its key.
  };
  Node node;  ///< A value, an item or the root; null: nothing is there.
  Part part = Part::value;
};

[[nodiscard]] Spot find_spot(const Document& document, std::uint32_t begin, std::uint32_t end);

/// The nodes of another rendering, by the node with the same path.
using Twins = std::map<std::pair<const Document*, NodeIndex>, Node>;

/// Pairs the nodes of two renderings of one template, adding to `twins`; keys are also paired.
/// Documents with the same text have no twins.
/// False if a path is in one of them only, or if one has an error that the other does not have.
/// `plain_key`: a key of the second rendering as it is in the first.
[[nodiscard]] bool pair_nodes(const RenderedText& first, const RenderedText& second,
                              const std::function<std::string(std::string_view)>& plain_key,
                              Twins& twins);

/// The node of the other rendering; null if it has none.
[[nodiscard]] Node twin_of(const Twins& twins, Node node);

}  // namespace gpulint::render
