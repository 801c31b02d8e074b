#include "frontend/yaml_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/aliasing.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/ir/opaque.h"
#include "frontend/directives.h"
#include "frontend/extent.h"
#include "frontend/json_reader.h"
#include "frontend/limits.h"
#include "frontend/load.h"
#include "frontend/simple_yaml.h"
#include "frontend/template_mark.h"
#include "frontend/text_origin.h"
#include "frontend/token_reader.h"
#include "frontend/yaml_events.h"

namespace gpulint {
namespace {

struct MaskedPlaceholders {
  std::string text;
  std::vector<Extent> places;  ///< Of the placeholders, in order; never empty.
};

constexpr char filler = 'x';

[[nodiscard]] bool is_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

/// Length of OPEN NAME CLOSE at the start of `text`; 0 if there is none.
[[nodiscard]] std::size_t bracketed_name(std::string_view text, char open, char close) {
  if (!text.starts_with(open)) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_name(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == close ? end + 1 : 0;
}

/// `${…}` to its closing brace on the same line.
[[nodiscard]] std::size_t shell_variable(std::string_view text) {
  if (!text.starts_with("${")) return 0;
  if (const auto variable = variable_at(text, 0)) return variable->text.size();
  const std::size_t end = text.find_first_of("{}\n", 2);
  return end != std::string_view::npos && text[end] == '}' ? end + 1 : 0;
}

/// `{name}` is a mapping if it is alone, but not with more text after it.
[[nodiscard]] std::size_t braced_name(std::string_view text) {
  const std::size_t size = bracketed_name(text, '{', '}');
  const bool goes_on = size > 0 && size < text.size() &&
                       std::string_view(" \t\r\n,]}:").find(text[size]) == std::string_view::npos;
  return goes_on ? size : 0;
}

[[nodiscard]] std::size_t placeholder_at(std::string_view text, bool begins_value) {
  if (const std::size_t size = shell_variable(text); size > 0) return size;
  if (!begins_value) return 0;
  return std::max(
      {braced_name(text), bracketed_name(text, '%', '%'), bracketed_name(text, '@', '@')});
}

[[nodiscard]] bool lies_in(std::string_view part, std::string_view whole) {
  const std::less_equal<const char*> not_after;
  return not_after(whole.data(), part.data()) &&
         not_after(part.data() + part.size(), whole.data() + whole.size());
}

/// The same part of the other text.
[[nodiscard]] std::string_view moved(std::string_view part, std::string_view from,
                                     std::string_view to) {
  if (part.empty()) return {};
  return lies_in(part, from)
             ? to.substr(static_cast<std::size_t>(part.data() - from.data()), part.size())
             : part;
}

/// Decoded text with the letters of the mask replaced by the original text.
[[nodiscard]] std::string unmask_decoded(Node scalar, std::string_view masked,
                                         std::string_view text) {
  const TextOrigin origin = trace_text(scalar, masked);
  std::string result(scalar.text());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint32_t at = file_offset(origin, static_cast<std::uint32_t>(i));
    if (at < text.size() && masked[at] != text[at]) result[i] = text[at];
  }
  return result;
}

/// Length of `{{ name }}`, all on one line, at the start of `text`; 0 if there is none.
[[nodiscard]] std::size_t name_in_braces(std::string_view text) {
  if (!text.starts_with("{{")) return 0;
  const auto skip = [&](std::size_t at, auto is_part) {
    while (at < text.size() && is_part(text[at])) ++at;
    return at;
  };
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const std::size_t begin = skip(2, is_blank);
  const std::size_t end = skip(begin, is_name);
  const std::size_t close = skip(end, is_blank);
  return end > begin && text.substr(close).starts_with("}}") ? close + 2 : 0;
}

/// Masks placeholders that begin with one of the characters and have the length `size_at`; 0: none.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_each(std::string_view text,
                                                          std::string_view beginnings,
                                                          auto size_at) {
  MaskedPlaceholders masked{.text = std::string(text), .places = {}};
  for (std::size_t at = 0; (at = text.find_first_of(beginnings, at)) != std::string_view::npos;) {
    const std::size_t size = size_at(at);
    std::fill_n(masked.text.begin() + static_cast<std::ptrdiff_t>(at), size, filler);
    if (size > 0) {
      masked.places.push_back(
          {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)});
    }
    at += std::max<std::size_t>(size, 1);
  }
  if (masked.places.empty()) return std::nullopt;
  return masked;
}

/// `text` with every placeholder that is not valid YAML (`[${zone}a]`, `{user}/image`, `%CODE%`,
/// `@NAME@`) replaced by as many letters; nullopt if there is none.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_placeholders(std::string_view text) {
  return mask_each(text, "${%@", [&](std::size_t at) {
    const bool begins_value =
        at == 0 || std::string_view(" \t\n[,").find(text[at - 1]) != std::string_view::npos;
    return placeholder_at(text.substr(at), begins_value);
  });
}

/// The same for `{{ name }}`, anywhere.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_names_in_braces(std::string_view text) {
  return mask_each(text, "{", [&](std::size_t at) { return name_in_braces(text.substr(at)); });
}

/// Restores the own text of the nodes of a document that was read from masked text, and marks those
/// with a placeholder as opaque. `masked` and `text` have equal lengths; afterwards nothing points
/// into `masked`.
void unmask(Document& document, std::string_view masked, std::string_view text) {
  for (NodeIndex i = 0; i < document.nodes.size(); ++i) {
    NodeData& node = document.nodes[i];
    const Extent extent{node.begin, node.end};
    const auto own = [&](std::string_view whole) {
      return whole.substr(extent.begin, extent.end - extent.begin);
    };
    if (lies_in(node.text, masked)) {
      node.text = moved(node.text, masked, text);
    } else if (node.kind == NodeKind::scalar && own(masked) != own(text)) {
      node.text = document.strings.emplace_front(unmask_decoded(Node(document, i), masked, text));
    }
    if (node.kind == NodeKind::scalar && own(masked) != own(text)) node.opaque = true;
  }
  for (NodeProperties& properties : document.properties) {
    properties.anchor = moved(properties.anchor, masked, text);
    properties.tag = moved(properties.tag, masked, text);
  }
}

void refuse(Document& document, Extent where, std::string message,
            SyntaxError::Kind kind = SyntaxError::Kind::syntax) {
  document.errors.push_back({.span = {document.file, where.begin, where.end},
                             .message = std::move(message),
                             .kind = kind});
}

/// The end of the lines that may contain directives: at `---`, or at the first line of content.
[[nodiscard]] std::uint32_t prologue_end(std::string_view text, const DocumentText& where) {
  if (where.has_marker) return where.content;
  std::size_t at = where.begin;
  while (at < where.end) {
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first == std::string_view::npos ||
        std::string_view("#\r\n").find(text[first]) == std::string_view::npos) {
      if (text[at] != '%') break;
    }
    at = text.find('\n', at);
    if (at == std::string_view::npos) return where.end;
    ++at;
  }
  return static_cast<std::uint32_t>(at);
}

/// Comments above a document's `---`.
void read_leading_comments(std::string_view text, const DocumentText& where, Document& document) {
  TokenReader reader(text, {where.begin, where.content}, document);
  for (reader.skip_blank(); reader.next() == '%'; reader.skip_blank()) reader.skip_line();
}

/// An explicit document without content is null, as in `---` alone.
void add_null_root(Document& document) {
  NodeData& node = document.nodes.emplace_back();
  node.kind = NodeKind::scalar;
  node.begin = node.end = document.span.end;
  document.root = 0;
}

[[nodiscard]] bool check_bytes(std::string_view text, const DocumentText& where,
                               Document& document) {
  const std::string_view bytes = text.substr(where.begin, where.end - where.begin);
  const auto unreadable = find_unreadable(bytes);
  if (!unreadable) return true;
  if (bytes.find('\0') != std::string_view::npos) {
    refuse(document, {where.begin, where.begin}, "the file is not text");
    return false;
  }
  refuse(document, {where.begin + unreadable->begin, where.begin + unreadable->end},
         unreadable->message);
  return false;
}

/// Parsers drop one byte order mark; the next one would be a part of the first key, one column
/// wide.
[[nodiscard]] bool check_marks(std::string_view text, const DocumentText& where,
                               Document& document) {
  constexpr auto size = static_cast<std::uint32_t>(byte_order_mark.size());
  const auto is_mark = [&](std::uint32_t at) {
    return text.substr(at).starts_with(byte_order_mark);
  };
  const std::uint32_t at = is_mark(where.begin) ? where.begin : first_line(text, where);
  if (!is_mark(at)) return true;
  const bool is_second = at == size && is_mark(0);  // split_stream() dropped the first
  if (!is_second && !is_mark(at + size)) return true;
  const std::uint32_t second = is_second ? at : at + size;
  refuse(document, {second, second + size},
         "the text begins with two byte order marks, but only one is allowed");
  return false;
}

[[nodiscard]] bool check_size(const DocumentText& where, Document& document) {
  if (where.end - where.begin <= limits::yaml_document_bytes) return true;
  refuse(document, {where.content, where.content},
         "it exceeds the limit of 64 MiB for YAML; as JSON (`kubectl get -o json`) it "
         "may have 1 GiB",
         SyntaxError::Kind::limit);
  return false;
}

void drop_tree(Document& document) {
  document.nodes.clear();
  document.properties.clear();
  document.root = no_node;
}

void set_template(Document& document, Extent mark) {
  document.is_template = true;
  document.template_mark = {document.file, mark.begin, mark.end};
  document.errors.clear();
  drop_tree(document);
}

/// Aliases must not repeat much more text than is written.
void check_aliases(Document& document) {
  const Node alias = find_excessive_alias(document);
  if (!alias) return;
  const Span span = alias.span();
  refuse(document, {span.begin, span.end},
         fmt::format("its aliases expand to more text than Kubernetes and Helm accept, most of all "
                     "`*{}`",
                     alias.text()),
         SyntaxError::Kind::limit);
  drop_tree(document);
}

/// The tree, comments and errors of a document's YAML.
void parse_yaml(std::string_view text, const DocumentText& where, Document& document) {
  if (where.is_stray_end) {
    refuse(document, {where.content - 3, where.content},
           "`...` ends a document, but none has begun");
  }
  Directives directives = read_directives(text, {where.begin, prologue_end(text, where)});
  if (directives.problem) {
    refuse(document, directives.problem->where, directives.problem->message,
           SyntaxError::Kind::dialect);
  }
  if (where.has_marker) read_leading_comments(text, where, document);
  const bool is_usual = directives.handles.empty() && document.errors.empty();
  if (is_usual && read_simple_yaml(text, where, document)) return;
  parse_events(text, where, directives.handles, document);
  if (document.errors.empty()) check_aliases(document);
  if (document.root == no_node && where.has_marker && document.errors.empty()) {
    add_null_root(document);
  }
  // what every parser rejects comes first
  std::ranges::stable_sort(document.errors, {}, [](const SyntaxError& e) {
    return std::pair(e.kind == SyntaxError::Kind::dialect, e.span.begin);
  });
  if (document.errors.size() > 1) document.errors.resize(1);  // the others may follow from it
}

/// Whether a tab indents text above or below the content, where only spaces can.
[[nodiscard]] bool has_tab_around(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  if (text.substr(0, text.find_first_not_of(blanks)).find('\t') != std::string_view::npos) {
    return true;
  }
  const std::string_view tail = text.substr(text.find_last_not_of(blanks) + 1);
  const std::size_t line = tail.find('\n');
  return line != std::string_view::npos && tail.find('\t', line) != std::string_view::npos;
}

/// Whether only comments are above the content, and no tab is around it after `---`: with a
/// directive or a stray `...` it is not JSON.
[[nodiscard]] bool may_be_json(std::string_view text, const DocumentText& where) {
  if (where.is_stray_end) return false;
  if (!where.has_marker) return true;
  const std::string_view above = text.substr(where.begin, where.content - where.begin);
  return !above.starts_with('%') && above.find("\n%") == std::string_view::npos &&
         !has_tab_around(text.substr(where.content, where.end - where.content));
}

/// Removes the blanks that Kubernetes' parser drops before it reads JSON-like text as YAML: those
/// before a stream's first brace, up to the end of their line.
[[nodiscard]] DocumentText without_blanks(std::string_view text, DocumentText where) {
  const std::size_t first = text.substr(0, where.end).find_first_not_of(" \t\r\n");
  const bool may_drop = where.begin == 0 && where.content == 0 && !where.is_stray_end;
  if (!may_drop || first == std::string_view::npos || text[first] != '{') return where;
  where.begin = where.content = static_cast<std::uint32_t>(std::min(text.find('\n') + 1, first));
  return where;
}

[[nodiscard]] std::unique_ptr<Document> new_document(FileId file, const DocumentText& where) {
  auto document = std::make_unique<Document>();
  document->file = file;
  document->index = where.index;
  document->span = {file, where.content, where.end};
  return document;
}

/// Applies `move(begin, end)` to every place of a document.
template <class Move>
void move_places(Document& document, Move move) {
  move(document.span.begin, document.span.end);
  move(document.template_mark.begin, document.template_mark.end);
  for (NodeData& node : document.nodes) move(node.begin, node.end);
  for (Span& comment : document.comments) move(comment.begin, comment.end);
  for (SyntaxError& error : document.errors) move(error.span.begin, error.span.end);
  for (NodeProperties& properties : document.properties) {
    std::uint32_t end = properties.begin;
    move(properties.begin, end);
  }
}

/// The last of the places that begins at or before `at`, or the first of all.
[[nodiscard]] Extent place_before(const std::vector<Extent>& places, std::uint32_t at) {
  const auto behind = std::ranges::upper_bound(places, at, {}, &Extent::begin);
  return behind == places.begin() ? *behind : *std::prev(behind);
}

/// The document with placeholders read as plain text; null if that is not YAML either.
[[nodiscard]] std::unique_ptr<Document> parse_masked(const MaskedPlaceholders& masked,
                                                     std::string_view text, FileId file,
                                                     const DocumentText& where) {
  DocumentText moved = where;
  moved.begin = 0;
  moved.content -= where.begin;
  moved.end -= where.begin;
  auto document = new_document(file, moved);
  parse_yaml(masked.text, moved, *document);
  if (!document->errors.empty()) return nullptr;
  unmask(*document, masked.text, text.substr(where.begin, where.end - where.begin));
  move_places(*document, [&](std::uint32_t& begin, std::uint32_t& end) {
    begin += where.begin;
    end += where.begin;
  });
  return document;
}

/// A second attempt at a document that was rejected: perhaps only its placeholders are the cause.
/// Null if they are not.
[[nodiscard]] std::unique_ptr<Document> parse_around_placeholders(std::string_view text,
                                                                  FileId file,
                                                                  const DocumentText& where,
                                                                  std::uint32_t broken_at) {
  const auto masked = mask_placeholders(text.substr(where.begin, where.end - where.begin));
  if (!masked) return nullptr;
  auto document = parse_masked(*masked, text, file, where);
  if (document == nullptr) return nullptr;
  document->has_masked_placeholders = true;
  const Extent culprit = place_before(masked->places, broken_at - where.begin);
  document->template_mark = {file, where.begin + culprit.begin, where.begin + culprit.end};
  return document;
}

/// A document in which `{{ name }}` is replaced later; null if it contains none, or is not YAML.
[[nodiscard]] std::unique_ptr<Document> parse_with_values_to_come(std::string_view text,
                                                                  FileId file,
                                                                  const DocumentText& where) {
  const auto masked = mask_names_in_braces(text.substr(where.begin, where.end - where.begin));
  return masked ? parse_masked(*masked, text, file, where) : nullptr;
}

[[nodiscard]] std::unique_ptr<Document> parse_text(std::string_view text, FileId file,
                                                   const DocumentText& where,
                                                   const Reading& reading = {}) {
  auto document = new_document(file, where);
  if (where.follows_json_stream) {
    refuse(*document, {where.content - 3, where.content},
           "`---` is not allowed here, because it is missing between the JSON objects above",
           SyntaxError::Kind::trailing);
    return document;
  }
  if (where.is_on_end_line) {
    const std::size_t first = text.find_first_not_of(" \t", where.content);
    const auto begin = static_cast<std::uint32_t>(std::min<std::size_t>(first, where.end));
    refuse(*document, {begin, begin + 1},
           "`...` ends a document: no text may follow it on its line", SyntaxError::Kind::trailing);
    return document;
  }
  const bool is_bare = may_be_json(text, where);
  if (!check_marks(text, where, *document) || !check_bytes(text, where, *document) ||
      (is_bare && read_json(text, where, *document, reading)) || !check_size(where, *document)) {
    return document;
  }
  const auto mark = find_template_mark(text, {where.content, where.end});
  if (mark && mark->is_certain) {
    set_template(*document, mark->where);
    return document;
  }
  parse_yaml(text, without_blanks(text, where), *document);
  if (document->errors.empty()) return document;
  if (mark) {
    set_template(*document, mark->where);
    return document;
  }
  if (is_bare) {
    auto json = new_document(file, where);
    if (read_commented_json(text, where, *json)) return json;
  }
  const std::uint32_t at = document->errors.front().span.begin;
  if (auto second = parse_around_placeholders(text, file, where, at)) return second;
  const Extent range{where.content, where.end};
  auto line = find_template_line(text, range, at);
  if (!line) line = find_quoted_mark(text, range, at);
  if (line) set_template(*document, *line);
  return document;
}

/// Moves every place from decoded text to the file.
void relocate(Document& document, TextOrigin origin) {
  move_places(document, [&](std::uint32_t& begin, std::uint32_t& end) {
    const Extent moved = file_extent(origin, {begin, end});
    begin = moved.begin;
    end = moved.end;
  });
  document.origin = std::move(origin);
}

}  // namespace

std::unique_ptr<Document> parse_document(const SourceFile& file, const DocumentText& document,
                                         const Reading& reading) {
  return parse_text(file.text(), file.id(), document, reading);
}

std::vector<std::unique_ptr<Document>> parse_file(const SourceFile& file) {
  std::vector<std::unique_ptr<Document>> documents;
  for (const DocumentText& document : split_stream(file.text())) {
    documents.push_back(parse_document(file, document));
  }
  return documents;
}

std::vector<std::unique_ptr<Document>> parse_embedded(Node scalar, const SourceFile& file,
                                                      Braces braces) {
  std::vector<std::unique_ptr<Document>> documents;
  const TextOrigin origin = trace_text(scalar, file.text());
  for (const DocumentText& where : split_stream(scalar.text())) {
    auto document = braces == Braces::value
                        ? parse_with_values_to_come(scalar.text(), file.id(), where)
                        : nullptr;
    if (document == nullptr) document = parse_text(scalar.text(), file.id(), where);
    relocate(*document, origin);
    document->host = scalar.document();
    document->host_node = scalar.index();
    documents.push_back(std::move(document));
  }
  return documents;
}

std::unique_ptr<Document> parse_decoded(Node scalar, std::string text) {
  std::forward_list<std::string> kept;
  const std::string& own = kept.emplace_front(std::move(text));
  const std::vector<DocumentText> parts = split_stream(own);
  const FileId file = scalar.document()->file;
  auto document = parse_text(own, file, parts.empty() ? DocumentText{} : parts.front());
  const Span place = scalar.key_span();
  move_places(*document, [&](std::uint32_t& begin, std::uint32_t& end) {
    begin = place.begin;
    end = place.end;
  });
  document->comments.clear();
  document->strings.splice_after(document->strings.before_begin(), kept);
  document->host = scalar.document();
  document->host_node = scalar.index();
  return document;
}

}  // namespace gpulint
