#include "frontend/text_origin.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "frontend/line_breaks.h"
#include "frontend/quoted_scalar.h"

namespace gpulint {
namespace {

using Piece = TextOrigin::Piece;

[[nodiscard]] bool is_break(char c) { return c == '\n' || c == '\r'; }
[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || is_break(c); }

void add_piece(std::vector<Piece>& pieces, std::size_t decoded, std::size_t file) {
  const Piece piece{static_cast<std::uint32_t>(decoded), static_cast<std::uint32_t>(file)};
  if (!pieces.empty() && piece.decoded - pieces.back().decoded == piece.file - pieces.back().file) {
    return;
  }
  if (!pieces.empty() && pieces.back().decoded == piece.decoded) {
    pieces.back() = piece;
  } else {
    pieces.push_back(piece);
  }
}

[[nodiscard]] std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return text.size();
  return end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
}

[[nodiscard]] std::size_t leading_blanks(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of(' ', at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}

/// Spaces before each line of a block scalar that are not part of its value.
[[nodiscard]] std::size_t block_indentation(std::string_view source, std::size_t content,
                                            std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \n");
  if (first == std::string_view::npos) return 0;
  const std::size_t line = value.rfind('\n', first);
  const std::size_t own = first - (line == std::string_view::npos ? 0 : line + 1);
  std::size_t at = content;
  while (at < source.size()) {
    const std::size_t blanks = leading_blanks(source, at);
    if (at + blanks < source.size() && !is_break(source[at + blanks])) return blanks - own;
    at = next_line(source, at);
  }
  return 0;
}

/// Line by line: a literal block scalar keeps its lines.
[[nodiscard]] std::vector<Piece> trace_literal(std::string_view source, std::string_view value) {
  std::vector<Piece> pieces;
  std::size_t line = next_line(source, 0);
  const std::size_t indentation = block_indentation(source, line, value);
  for (std::size_t at = 0; at < value.size();) {
    add_piece(pieces, at, line + std::min(indentation, leading_blanks(source, line)));
    const std::size_t end = value.find('\n', at);
    at = end == std::string_view::npos ? value.size() : end + 1;
    line = next_line(source, line);
  }
  return pieces;
}

/// Bytes at `at` that folding may have turned into a blank.
[[nodiscard]] std::size_t blank_length(std::string_view source, std::size_t at) {
  if (at >= source.size()) return 0;
  return is_blank(source[at]) ? 1 : source.substr(at).starts_with("\xC2\x85") ? 2 : 0;
}

/// Character by character: folding changes only blanks.
[[nodiscard]] std::vector<Piece> trace_folded(std::string_view source, std::size_t from,
                                              std::string_view value) {
  std::vector<Piece> pieces;
  std::size_t at = from;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!is_blank(value[i])) {
      while (const std::size_t length = blank_length(source, at)) at += length;
    }
    add_piece(pieces, i, std::min(at, source.size()));
    if (at < source.size() && is_blank(source[at]) == is_blank(value[i])) ++at;
  }
  return pieces;
}

/// Pieces by offset into the text that the scalar is written in, from `begin` on.
[[nodiscard]] std::vector<Piece> trace_in_host(Node scalar, std::string_view source,
                                               std::uint32_t begin) {
  std::vector<Piece> pieces;
  switch (scalar.style()) {
    case Style::single_quoted:
    case Style::double_quoted:
      static_cast<void>(read_quoted(source, &pieces));
      break;
    case Style::literal:
      pieces = holds_other_breaks(source)
                   ? trace_folded(source, next_line(source, 0), scalar.text())
                   : trace_literal(source, scalar.text());
      break;
    case Style::folded:
      pieces = trace_folded(source, next_line(source, 0), scalar.text());
      break;
    default:
      pieces = trace_folded(source, 0, scalar.text());
      break;
  }
  for (Piece& piece : pieces) piece.file += begin;
  return pieces;
}

/// The piece that contains an offset; `offset` of pieces is sorted.
[[nodiscard]] std::size_t piece_of(const std::vector<Piece>& pieces, std::uint32_t offset,
                                   std::uint32_t Piece::* side) {
  const auto after = std::ranges::upper_bound(pieces, offset, {}, side);
  return after == pieces.begin() ? 0 : static_cast<std::size_t>(after - pieces.begin()) - 1;
}

[[nodiscard]] std::uint32_t decoded_offset(const TextOrigin& origin, std::uint32_t file) {
  if (origin.pieces.empty()) return 0;
  const Piece& piece = origin.pieces[piece_of(origin.pieces, file, &Piece::file)];
  return file < piece.file ? piece.decoded : piece.decoded + (file - piece.file);
}

/// `inner` continued through `outer`: pieces are cut where either has a cut.
[[nodiscard]] std::vector<Piece> compose(const std::vector<Piece>& inner, const TextOrigin& outer,
                                         std::size_t decoded_size) {
  std::vector<Piece> result;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const std::size_t end = i + 1 < inner.size() ? inner[i + 1].decoded : decoded_size;
    std::uint32_t from = inner[i].file;
    const auto last = static_cast<std::uint32_t>(from + (end - inner[i].decoded));
    while (true) {
      add_piece(result, inner[i].decoded + (from - inner[i].file), file_offset(outer, from));
      const std::size_t next = piece_of(outer.pieces, from, &Piece::decoded) + 1;
      if (next >= outer.pieces.size() || outer.pieces[next].decoded >= last) break;
      from = std::max(outer.pieces[next].decoded, from + 1);
    }
  }
  return result;
}

}  // namespace

TextOrigin trace_text(Node scalar, std::string_view file) {
  const Document& document = *scalar.document();
  const Span span = scalar.span();
  if (document.host == nullptr) {
    return {trace_in_host(scalar, file.substr(span.begin, span.size()), span.begin)};
  }
  const std::string_view host = Node(*document.host, document.host_node).text();
  const std::uint32_t begin = decoded_offset(document.origin, span.begin);
  const std::uint32_t end =
      span.empty() ? begin : decoded_offset(document.origin, span.end - 1) + 1;
  const auto pieces = trace_in_host(scalar, host.substr(begin, end - begin), begin);
  return {compose(pieces, document.origin, scalar.text().size())};
}

std::uint32_t file_offset(const TextOrigin& origin, std::uint32_t decoded) {
  if (origin.pieces.empty()) return decoded;
  const Piece& piece = origin.pieces[piece_of(origin.pieces, decoded, &Piece::decoded)];
  return piece.file + (decoded - std::min(decoded, piece.decoded));
}

Extent file_extent(const TextOrigin& origin, Extent decoded) {
  const std::uint32_t begin = file_offset(origin, decoded.begin);
  if (decoded.begin == decoded.end) return {begin, begin};
  return {begin, std::max(begin, file_offset(origin, decoded.end - 1) + 1)};
}

}  // namespace gpulint
