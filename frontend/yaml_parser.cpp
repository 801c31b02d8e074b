#include "frontend/yaml_parser.h"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "compiler/ir/opaque.h"
#include "frontend/tree_builder.h"

namespace gpulint {
namespace {

/// Reads bytes in place.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // never written to
    setg(begin, begin, begin + text.size());
  }
};

class EventAdapter : public YAML::EventHandler {
 public:
  EventAdapter(TreeBuilder& builder, std::uint32_t base) : builder_(&builder), base_(base) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override {
    builder_->add_null(anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_->add_alias(offset(mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    builder_->add_scalar(offset(mark), anchor, tag, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    begin(NodeKind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { builder_->end_collection(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    begin(NodeKind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { builder_->end_collection(); }

  [[nodiscard]] std::uint32_t offset(const YAML::Mark& mark) const {
    return base_ + static_cast<std::uint32_t>(std::max(mark.pos, 0));
  }

 private:
  void begin(NodeKind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const bool present = anchor != 0 || (!tag.empty() && tag != "?");
    builder_->begin_collection(
        kind, offset(mark), anchor, tag,
        present ? TreeBuilder::Properties::present : TreeBuilder::Properties::absent);
  }

  TreeBuilder* builder_;
  std::uint32_t base_;
};

/// Comments above a document's `---`.
void read_leading_comments(std::string_view text, const DocumentText& where, Document& document) {
  TokenReader reader(text, {where.begin, where.content}, document.file, document.comments);
  for (std::uint32_t at = where.begin; at < where.content; ++at) {
    reader.move_to(at);
    reader.skip_blank();
    at = reader.at();
    if (reader.peek(at) == '%') {
      while (at < where.content && text[at] != '\n') ++at;
    }
    if (reader.peek(at) == '-') break;
  }
}

[[nodiscard]] std::unique_ptr<Document> parse_text(std::string_view text, FileId file,
                                                   const DocumentText& where) {
  auto document = std::make_unique<Document>();
  document->file = file;
  document->index = where.index;
  document->span = {file, where.content, where.end};
  if (where.has_marker) read_leading_comments(text, where, *document);
  TreeBuilder builder(*document, text, {where.content, where.end});
  EventAdapter adapter(builder, where.begin);
  ViewBuffer buffer(text.substr(where.begin, where.end - where.begin));
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(adapter);
  } catch (const YAML::DeepRecursion& error) {
    document->errors.push_back(
        {.span = {file, adapter.offset(error.mark), adapter.offset(error.mark)},
         .message = "nested too deeply",
         .kind = SyntaxError::Kind::limit});
  } catch (const YAML::Exception& error) {
    document->errors.push_back(
        {.span = {file, adapter.offset(error.mark), adapter.offset(error.mark)},
         .message = error.msg});
  }
  builder.finish();
  for (NodeData& node : document->nodes) {
    if (node.kind == NodeKind::scalar) node.opaque = has_placeholder(node.text);
  }
  return document;
}

}  // namespace

std::unique_ptr<Document> parse_document(const SourceFile& file, const DocumentText& document) {
  return parse_text(file.text(), file.id(), document);
}

std::vector<std::unique_ptr<Document>> parse_file(const SourceFile& file) {
  std::vector<std::unique_ptr<Document>> documents;
  for (const DocumentText& document : split_stream(file.text())) {
    documents.push_back(parse_document(file, document));
  }
  return documents;
}

std::vector<std::unique_ptr<Document>> parse_embedded(Node scalar, const SourceFile& file) {
  std::vector<std::unique_ptr<Document>> documents;
  for (const DocumentText& where : split_stream(scalar.text())) {
    auto document = parse_text(scalar.text(), file.id(), where);
    document->host = scalar.document();
    document->host_node = scalar.index();
    documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace gpulint
