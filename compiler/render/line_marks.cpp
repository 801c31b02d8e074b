#include "compiler/render/line_marks.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace gpulint::render {
namespace {

/// ` #@3:17@`: line 17 of source 3.
constexpr std::string_view begin_mark = " #@";

struct FoundMark {
  std::size_t begin = 0;
  std::size_t end = 0;
  LinePlace place;
};

/// The first mark of a text from `from` on.
[[nodiscard]] std::optional<FoundMark> next_mark(std::string_view text, std::size_t from) {
  for (std::size_t at = from; (at = text.find(begin_mark, at)) != std::string_view::npos; ++at) {
    const char* const end = text.data() + text.size();
    FoundMark mark{.begin = at, .end = 0, .place = {}};
    auto [colon, error] =
        std::from_chars(text.data() + at + begin_mark.size(), end, mark.place.source);
    if (error != std::errc() || colon == end || *colon != ':') continue;
    auto [close, other] = std::from_chars(colon + 1, end, mark.place.number);
    if (other != std::errc() || close == end || *close != '@') continue;
    mark.end = static_cast<std::size_t>(close + 1 - text.data());
    return mark;
  }
  return std::nullopt;
}

[[nodiscard]] std::string without_marks(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  while (const auto mark = next_mark(text, copied)) {
    result += text.substr(copied, mark->begin - copied);
    copied = mark->end;
  }
  return result += text.substr(copied);
}

/// Whether a text is the digest of another: of a template with marks it differs.
[[nodiscard]] bool is_digest(std::string_view text) {
  return text.size() >= 32 && std::ranges::all_of(text, [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

[[nodiscard]] std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

std::optional<LinePlace> LineMarks::of(Node target) const {
  const auto found = found_.find({target.document(), target.index()});
  return found == found_.end() ? std::nullopt : std::optional(found->second);
}

/// Learns which scalars differ when nothing is changed.
void LineMarks::find_random(std::size_t output) {
  const auto trial = trials_.run({}, [](std::string_view key) { return std::string(key); });
  if (!trial) return;
  const RenderedText& plain = trials_.plain(output);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    walk(root(plain.document(i)), [&](Node node) {
      const Node twin = twin_of(trial->twins, node);
      if (twin && twin.text() != node.text()) random_[{node.document(), node.index()}] = true;
    });
  }
}

bool LineMarks::keeps_scalars(const Trial& trial, std::size_t output) {
  bool keeps = true;
  const RenderedText& plain = trials_.plain(output);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    walk(root(plain.document(i)), [&](Node node) {
      const Node twin = twin_of(trial.twins, node);
      if (!twin || !node.is_scalar() || twin.text() == node.text()) return;
      const bool is_same = without_marks(twin.text()) == node.text() ||
                           (is_digest(node.text()) && is_digest(twin.text())) ||
                           random_.contains({node.document(), node.index()});
      keeps = keeps && is_same;
    });
  }
  return keeps;
}

std::optional<Trial> LineMarks::try_marks(const Chosen& chosen, std::size_t output) {
  Changed changed;
  std::map<std::size_t, std::size_t> copied;
  for (const Mark& mark : chosen) {  // in the order of lines
    const std::string_view source = texts_[mark.source];
    std::string& text = changed[mark.source];
    std::size_t& from = copied[mark.source];
    text += source.substr(from, mark.line.end - from);
    text += fmt::format("{}{}:{}@", begin_mark, mark.source, mark.line.number);
    from = mark.line.end;
  }
  for (auto& [source, text] : changed) text += texts_[source].substr(copied[source]);
  auto trial = trials_.run(changed, without_marks);
  if (!trial || !keeps_scalars(*trial, output)) return std::nullopt;
  return trial;
}

/// A scalar of several lines, or one from an action of several lines, has its mark below its own
/// line. That needs marks on all lines: another line's mark would be a wrong answer.
void LineMarks::read(const Trial& trial, const Chosen& chosen, const Wanted& wanted) {
  const auto output = trial.changed.find(wanted.output);
  if (output == trial.changed.end()) return;
  const std::string_view text = output->second->file().text();
  for (const Node target : wanted.targets) {
    const Node twin = twin_of(trial.twins, target);
    if (!twin || of(target)) continue;
    const std::size_t begin = twin.key_span().begin;
    auto mark = next_mark(line_at(text, begin), 0);
    if (!mark && chosen.size() == wanted.all) {
      const std::size_t end = std::min<std::size_t>(twin.document()->span.end, text.size());
      mark = next_mark(text.substr(0, end), begin);
      const bool is_of_several = mark && std::ranges::any_of(chosen, [&](const Mark& each) {
                                   return each.source == mark->place.source &&
                                          each.line.number == mark->place.number &&
                                          each.line.writes_several;
                                 });
      if (!is_of_several) mark.reset();
    }
    if (mark) found_[{target.document(), target.index()}] = mark->place;
  }
}

void LineMarks::divide(const Chosen& chosen, const Wanted& wanted) {
  const bool is_done =
      std::ranges::all_of(wanted.targets, [&](Node target) { return of(target).has_value(); });
  if (chosen.empty() || is_done || trials_.is_at_limit()) return;
  if (const auto trial = try_marks(chosen, wanted.output)) return read(*trial, chosen, wanted);
  if (chosen.size() == 1) return;
  const auto middle = chosen.begin() + static_cast<std::ptrdiff_t>(chosen.size() / 2);
  divide({chosen.begin(), middle}, wanted);
  divide({middle, chosen.end()}, wanted);
}

void LineMarks::find(std::size_t output, std::size_t its_template,
                     const std::vector<std::size_t>& sources, const std::vector<Node>& targets) {
  const auto is_random = [&](std::size_t source) { return may_be_random(texts_[source]); };
  if (std::ranges::any_of(sources, is_random)) find_random(output);
  // The template's own lines first: where a helper's line spoils the text, these still tell.
  Chosen own;
  Chosen all;
  for (const std::size_t source : sources) {
    for (const TemplateLine& line : commentable_lines(texts_[source])) {
      all.push_back({source, line});
      if (source == its_template) own.push_back({source, line});
    }
  }
  std::ranges::stable_sort(all, {}, &Mark::source);
  const Wanted wanted{output, targets, all.size()};
  if (const auto trial = try_marks(all, output)) return read(*trial, all, wanted);
  divide(own, {output, targets, own.size()});
  Chosen helpers;
  std::ranges::copy_if(all, std::back_inserter(helpers),
                       [&](const Mark& mark) { return mark.source != its_template; });
  divide(helpers, {output, targets, all.size()});
}

}  // namespace gpulint::render
