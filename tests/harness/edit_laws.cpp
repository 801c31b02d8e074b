#include "tests/harness/edit_laws.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/ir/scalar.h"
#include "frontend/yaml_parser.h"

namespace gpulint::test {
namespace {

using Documents = std::vector<std::unique_ptr<Document>>;

/// YAML may be written inside of these.
[[nodiscard]] bool may_hold_yaml(Node node) {
  return node.is_scalar() && node.text().find_first_of(":\n") != std::string_view::npos &&
         node.span().size() > 0;
}

[[nodiscard]] Documents read_inside(Node scalar, const SourceFile& file) {
  Documents documents = may_hold_yaml(scalar) ? parse_embedded(scalar, file) : Documents{};
  const bool is_yaml = std::ranges::all_of(documents, [](const auto& document) {
    const Node node = root(*document);
    return document->errors.empty() && (node.is_mapping() || node.is_sequence());
  });
  return is_yaml ? std::move(documents) : Documents{};
}

void collect_comments(const Documents& documents, const SourceFile& file, Reading& reading) {
  for (const auto& document : documents) {
    for (const Span span : document->comments) {
      std::string text(file.text(span));
      if (text.find("gpulint:") == std::string::npos) reading.comments.push_back(std::move(text));
    }
  }
}

/// Where bytes of the old text stand in the new one.
class Shift {
 public:
  explicit Shift(const std::vector<Edit>& edits) : edits_(edits) {
    std::int64_t shift = 0;
    for (const Edit& edit : edits) {
      const auto begin = static_cast<std::uint32_t>(std::int64_t(edit.span.begin) + shift);
      inserted_.push_back({0, begin, begin + static_cast<std::uint32_t>(edit.text.size())});
      shift += std::int64_t(edit.text.size()) - std::int64_t(edit.span.size());
    }
  }

  /// Nothing for a byte that was removed.
  [[nodiscard]] std::optional<std::uint32_t> moved(std::uint32_t at) const {
    std::int64_t shift = 0;
    for (const Edit& edit : edits_) {
      if (edit.span.end <= at) {
        shift += std::int64_t(edit.text.size()) - std::int64_t(edit.span.size());
      } else if (edit.span.begin <= at) {
        return std::nullopt;
      }
    }
    return static_cast<std::uint32_t>(std::int64_t(at) + shift);
  }

  /// Whether an edit alters the text of the span: bytes of it, or bytes that join it.
  [[nodiscard]] bool alters(Span span) const {
    return std::ranges::any_of(edits_, [&](const Edit& edit) {
      if (edit.span.begin < span.end && span.begin < edit.span.end) return true;
      if (edit.text.empty()) return false;
      if (edit.span.begin == span.end) return joins(edit.text.front());
      return edit.span.end == span.begin && joins(edit.text.back());
    });
  }

  /// Whether an edit stands at the place or next to it.
  [[nodiscard]] bool touches(std::uint32_t at) const {
    return std::ranges::any_of(
        edits_, [&](const Edit& edit) { return edit.span.begin <= at && at <= edit.span.end; });
  }

  [[nodiscard]] const std::vector<Span>& inserted() const { return inserted_; }

  /// Whether text was inserted at the place in the new text.
  [[nodiscard]] bool is_new(std::uint32_t at) const {
    return std::ranges::any_of(inserted_,
                               [&](Span span) { return span.begin <= at && at <= span.end; });
  }
  [[nodiscard]] bool holds_new(Span now) const {
    return std::ranges::any_of(
        inserted_, [&](Span span) { return span.begin <= now.end && now.begin <= span.end; });
  }

 private:
  [[nodiscard]] static bool joins(char c) {
    return std::isspace(static_cast<unsigned char>(c)) == 0 && c != ',' && c != '}' && c != ']';
  }

  const std::vector<Edit>& edits_;
  std::vector<Span> inserted_;
};

class Comparison {
 public:
  Comparison(const SourceFile& before, const SourceFile& after, const std::vector<Edit>& edits)
      : before_(before), after_(after), edits_(edits), shift_(edits) {}

  /// A document that an edit cuts in two becomes several.
  void compare_all(const Documents& was, const Documents& now) {
    const std::vector<std::vector<Node>> parts = parts_of_documents(now);
    if (was.size() != parts.size()) {
      found_.push_back(fmt::format("{} documents became {}", was.size(), parts.size()));
      return;
    }
    for (std::size_t i = 0; i < was.size(); ++i) {
      if (parts[i].size() == 1) {
        compare(root(*was[i]), parts[i].front());
      } else {
        compare_entries(root(*was[i]), parts[i]);
      }
    }
  }

  [[nodiscard]] std::vector<std::string> found() && { return std::move(found_); }

 private:
  /// The roots of documents; those together between which an edit inserts `---`.
  [[nodiscard]] std::vector<std::vector<Node>> parts_of_documents(const Documents& now) const {
    std::vector<std::vector<Node>> parts;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const bool is_cut = i > 0 && inserts_marker(now[i - 1]->span.begin, now[i]->span.begin);
      if (!is_cut) parts.emplace_back();
      parts.back().push_back(root(*now[i]));
    }
    return parts;
  }
  [[nodiscard]] bool inserts_marker(std::uint32_t begin, std::uint32_t end) const {
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      const std::uint32_t place = shift_.inserted()[i].begin;
      if (edits_[i].text == "---\n" && begin <= place && place < end) return true;
    }
    return false;
  }

  void report(std::string_view what, Node was) {
    found_.push_back(fmt::format("line {}: `{}` {}", before_.position(was.key_span().begin).line,
                                 before_.text(was.key_span()).substr(0, 60), what));
  }
  void report_new(std::string_view what, Node now) {
    found_.push_back(fmt::format("new line {}: `{}` {}", after_.position(now.key_span().begin).line,
                                 after_.text(now.key_span()).substr(0, 60), what));
  }

  void compare(Node was, Node now) {
    if (was.kind() != now.kind()) {
      if (!shift_.holds_new(now.span()) && !shift_.alters(was.span())) {
        report("became something else", was);
      }
      return;
    }
    if (was.anchor() != now.anchor() || was.tag() != now.tag()) {
      if (!shift_.alters({0, was.begin_with_properties(), was.span().begin + 1})) {
        report("has another anchor or tag", was);
      }
    }
    if (was.is_scalar() || was.is_alias()) return compare_text(was, now);
    if (was.is_mapping()) return compare_entries(was, {now});
    compare_items(was, now);
  }

  [[nodiscard]] static std::pair<int, std::string> value_of(Node scalar) {
    const auto read = read_kubernetes_scalar(scalar);
    if (!read) return {-1, {}};
    return {static_cast<int>(read->type), read->text};
  }

  void compare_text(Node was, Node now) {
    if (!shift_.alters(was.span())) {
      const bool is_same = was.is_alias()
                               ? was.text() == now.text()
                               : was.text() == now.text() && value_of(was) == value_of(now);
      if (!is_same) report("reads otherwise, though no edit touches it", was);
      return;
    }
    const Documents inside = read_inside(was, before_);
    if (!inside.empty()) compare_all(inside, read_inside(now, after_));
  }

  /// The first scalar or alias of a subtree that is still there, as it was, one without text only
  /// where no other is; of an empty collection itself.
  [[nodiscard]] std::optional<std::uint32_t> landmark(Node node) const {
    const bool is_empty = node.size() == 0 && !node.is_scalar() && !shift_.alters(node.span());
    auto place = is_empty ? shift_.moved(node.span().begin) : std::nullopt;
    std::optional<std::uint32_t> without_text;
    walk(node, [&](Node inner) {
      if (place || (!inner.is_scalar() && !inner.is_alias())) return;
      if (inner.span().empty()) {
        if (!without_text && !shift_.touches(inner.span().begin)) {
          without_text = shift_.moved(inner.span().begin);
        }
      } else if (!shift_.alters(inner.span())) {
        place = shift_.moved(inner.span().begin);
      }
    });
    return place ? place : without_text;
  }

  void compare_keys(Node was, Node now) {
    if (read_kubernetes_key(was) != read_kubernetes_key(now)) report("is another key", was);
  }

  /// An entry may stand deeper or less deep where edits put keys around it or indent it anew.
  void compare_moved(Node key, Node value, Node now, std::uint32_t place) {
    Node found;
    walk(root(*now.document()), [&](Node node) {
      if (node.key() && node.key().span().begin == place) found = node;
    });
    Node around = found;
    do {
      around = around.parent();
    } while (around && around != now && around.key() && shift_.is_new(around.key().span().begin));
    const bool is_nested = found && around == now;
    if (!found || (!is_nested && !shift_.alters(indentation_of(key, before_)))) {
      report("is no longer in its mapping", key);
      return;
    }
    compare_keys(key, found.key());
    compare(value, found);
  }

  /// What stands before the key on its line, with a byte of the key.
  [[nodiscard]] static Span indentation_of(Node key, const SourceFile& file) {
    const std::uint32_t line = file.position(key.span().begin).line;
    return {0, file.line_start(line), key.span().begin + 1};
  }

  /// `now`: the mapping, or the mappings that its entries are in.
  void compare_entries(Node was, const std::vector<Node>& now) {
    std::vector<Node::Entry> entries;
    for (const Node part : now) std::ranges::copy(part.entries(), std::back_inserter(entries));
    std::vector<bool> is_met(entries.size());
    for (const auto& [key, value] : was.entries()) {
      const bool keeps_key = !shift_.alters(key.span()) && shift_.moved(key.span().begin);
      const auto place = keeps_key ? shift_.moved(key.span().begin) : landmark(value);
      if (!place) continue;  // removed, or written anew
      const auto same = std::ranges::find_if(entries, [&](const Node::Entry& entry) {
        const Span span = keeps_key ? entry.key.span() : entry.value.span();
        return keeps_key ? span.begin == *place : span.begin <= *place && *place <= span.end;
      });
      if (same == entries.end()) {
        compare_moved(key, value, now.front(), *place);
        continue;
      }
      is_met[static_cast<std::size_t>(same - entries.begin())] = true;
      if (keeps_key) compare_keys(key, same->key);
      compare(value, same->value);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!is_met[i] && !shift_.holds_new(indentation_of(entries[i].key, after_))) {
        report_new("was not in this mapping", entries[i].value);
      }
    }
  }

  void compare_items(Node was, Node now) {
    const std::vector<Node> items = now.children();
    std::vector<bool> is_met(items.size());
    for (const Node item : was.children()) {
      const auto place = landmark(item);
      if (!place) continue;
      const auto same = std::ranges::find_if(items, [&](Node other) {
        return other.span().begin <= *place && *place <= other.span().end;
      });
      if (same == items.end()) {
        report("is no longer in its list", item);
        continue;
      }
      is_met[static_cast<std::size_t>(same - items.begin())] = true;
      compare(item, *same);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!is_met[i] && !shift_.holds_new(items[i].span())) {
        report_new("was not in this list", items[i]);
      }
    }
  }

  const SourceFile& before_;
  const SourceFile& after_;
  const std::vector<Edit>& edits_;
  Shift shift_;
  std::vector<std::string> found_;
};

/// Without what only separates and quotes, so that lists and mappings compare in either style.
[[nodiscard]] std::string words_of(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("\"',{}[]-").find(c) != std::string_view::npos;
  });
  return rest;
}

/// Text that an edit takes from where another one, or itself, removes it.
[[nodiscard]] bool is_moved(const SourceFile& before, const std::vector<Edit>& edits,
                            std::string_view text) {
  const std::string words = words_of(text);
  return std::ranges::any_of(edits, [&](const Edit& edit) {
    const std::string removed = words_of(before.text(edit.span));
    return words.empty() ? removed.empty() : removed.find(words) != std::string::npos;
  });
}

[[nodiscard]] bool is_readable(const Documents& documents) {
  return std::ranges::all_of(documents,
                             [](const auto& document) { return document->errors.empty(); });
}

}  // namespace

Reading read_around(const SourceFile& file) {
  Reading reading;
  const Documents documents = parse_file(file);
  reading.documents = documents.size();
  collect_comments(documents, file, reading);
  for (const auto& document : documents) {
    reading.errors += document->errors.size();
    for (NodeIndex i = 0; i < document->nodes.size(); ++i) {
      const Node node(*document, i);
      const bool is_block = node.style() == Style::literal || node.style() == Style::folded;
      if (!is_block || node.text().find('#') == std::string_view::npos) continue;
      collect_comments(read_inside(node, file), file, reading);
    }
  }
  std::ranges::sort(reading.comments);
  return reading;
}

std::vector<std::string> lost_comments(const Reading& before, const Reading& after) {
  std::vector<std::string> lost;
  std::ranges::set_difference(before.comments, after.comments, std::back_inserter(lost));
  return lost;
}

std::vector<Span> written_places(const SourceFile& before, const std::vector<Edit>& edits,
                                 const std::vector<Span>& earlier) {
  const Shift shift(edits);
  std::vector<Span> places;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const bool is_removal = edits[i].text.empty() && !edits[i].span.empty();
    if (!is_removal && is_moved(before, edits, edits[i].text)) continue;
    places.push_back(shift.inserted()[i]);
  }
  for (const Span span : earlier) {
    const auto begin = shift.moved(span.begin);
    const auto end = shift.moved(span.end);
    if (begin && end) places.push_back({span.file, *begin, *end});
  }
  return places;
}

std::vector<std::string> stray_changes(const SourceFile& before, const SourceFile& after,
                                       const std::vector<Edit>& edits) {
  const Documents was = parse_file(before);
  const Documents now = parse_file(after);
  if (!is_readable(was) || !is_readable(now)) return {};
  Comparison comparison(before, after, edits);
  comparison.compare_all(was, now);
  return std::move(comparison).found();
}

}  // namespace gpulint::test
