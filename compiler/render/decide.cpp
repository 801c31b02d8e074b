#include "compiler/render/decide.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/ir/key_path.h"
#include "compiler/render/line_marks.h"
#include "compiler/render/value_marks.h"

namespace gpulint::render {
namespace {

constexpr std::size_t most_scalars = 400;  // of one place

/// The scalars of a value, as written.
[[nodiscard]] std::vector<Node> scalars_below(Node node) {
  std::vector<Node> scalars;
  walk(node, [&](Node each) {
    const bool is_key = static_cast<bool>(each.value());
    if (each.is_scalar() && !is_key && scalars.size() < most_scalars) scalars.push_back(each);
  });
  return scalars;
}

/// The number of an item in its sequence.
[[nodiscard]] std::size_t index_in(Node sequence, Node item) {
  const std::vector<Node> items = sequence.children();
  return static_cast<std::size_t>(std::ranges::find(items, item) - items.begin());
}

/// Whether two nodes have the same key or number below their parents.
[[nodiscard]] bool is_same_step(Node one, Node other) {
  if (one.key() || other.key()) {
    return one.key() && other.key() && one.key().text() == other.key().text();
  }
  return one.parent().is_sequence() && other.parent().is_sequence() &&
         index_in(one.parent(), one) == index_in(other.parent(), other);
}

/// The node of values that became `node`: as far above `leaf` as `node` is above `scalar`, with the
/// same keys between. Null if the keys differ.
[[nodiscard]] Node counterpart(Node node, Node scalar, Node leaf) {
  while (scalar != node) {
    if (!scalar || !leaf.parent() || !is_same_step(scalar, leaf)) return {};
    scalar = scalar.parent();
    leaf = leaf.parent();
  }
  return leaf;
}

/// The node below `node` with the same keys and numbers as `path`, which is written upwards. Null
/// if there is none.
[[nodiscard]] Node descend(Node node, const std::vector<Node>& path) {
  for (auto step = path.rbegin(); node && step != path.rend(); ++step) {
    const std::vector<Node> below = node.children();
    const auto next =
        std::ranges::find_if(below, [&](Node each) { return is_same_step(each, *step); });
    node = next == below.end() ? Node{} : *next;
  }
  return node;
}

class Decision {
 public:
  Decision(const std::vector<SourceText>& sources, const std::vector<Question>& questions,
           RenderingTrials& trials)
      : sources_(sources),
        questions_(questions),
        trials_(trials),
        values_(parse_values()),
        marks_(values_, texts(), trials),
        lines_(texts(), trials) {}

  [[nodiscard]] std::vector<Answer> run(const std::vector<RenderedTemplate>& plain) {
    for (const Question& question : questions_) spots_.push_back(spot_of(question));
    find_values();
    find_keys();
    answers_.resize(questions_.size());
    std::map<std::size_t, std::vector<std::size_t>> open;  // questions by output
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      if (!spots_[i].node) continue;
      answers_[i].path = key_path(spots_[i].node);
      if (!answer_by_value(i)) open[questions_[i].output].push_back(i);
    }
    for (const auto& [output, some] : open) {
      if (plain[output].name.empty()) {
        for (const std::size_t i : some) answer_by_neighbour(i);
      } else {
        answer_by_line(plain[output].name, output, some);
      }
    }
    return std::move(answers_);
  }

 private:
  using ValuesFiles = std::map<std::size_t, const RenderedText*>;

  [[nodiscard]] ValuesFiles parse_values() {
    ValuesFiles files;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      using Kind = SourceText::Kind;
      const Kind kind = sources_[i].kind;
      if (kind != Kind::values && kind != Kind::kustomization) continue;
      parsed_.emplace_back(sources_[i].name, std::string(sources_[i].text));
      if (kind == Kind::kustomization) parsed_.back().add_embedded();
      files.emplace(i, &parsed_.back());
    }
    return files;
  }

  [[nodiscard]] std::vector<std::string_view> texts() const {
    std::vector<std::string_view> texts;
    for (const SourceText& source : sources_) texts.push_back(source.text);
    return texts;
  }

  [[nodiscard]] Spot spot_of(const Question& question) {
    const Document* const document = trials_.plain(question.output).document_at(question.begin);
    return document == nullptr ? Spot{} : find_spot(*document, question.begin, question.end);
  }

  void find_values() {
    std::vector<Node> targets;
    std::set<std::pair<const Document*, NodeIndex>> seen;
    const auto add = [&](Node node) {
      if (seen.insert({node.document(), node.index()}).second) targets.push_back(node);
    };
    for (const Spot& spot : spots_) {
      if (!spot.node) continue;
      if (spot.part != Spot::Part::value) add(spot.node.key());
      std::ranges::for_each(scalars_below(spot.node), add);
    }
    marks_.find(targets);
  }

  /// Keys of scalars that may be keys of values.
  void find_keys() {
    std::vector<std::pair<Node, Leaf>> pairs;
    for (const Spot& spot : spots_) {
      if (spot.part != Spot::Part::key || !spot.node.is_scalar()) continue;
      const ValueOrigin* const origin = marks_.of(spot.node);
      if (origin == nullptr || !origin->is_identity || marks_.of(spot.node.key()) != nullptr) {
        continue;
      }
      const Leaf& leaf = origin->leaves.front();
      const Node key = leaf.node.key();
      if (!key || key.text() != spot.node.key().text()) continue;
      pairs.emplace_back(spot.node.key(), Leaf{leaf.source, key, Leaf::Kind::key});
    }
    if (!pairs.empty()) marks_.find_keys(pairs);
  }

  [[nodiscard]] Decider place_of(std::size_t source, Node node, Span span) const {
    return {source, span.begin, span.end, key_path(node)};
  }

  /// The value of all texts below a collection; nullopt if the template wrote some of them, or if
  /// they are no collection of values.
  [[nodiscard]] std::optional<std::pair<std::size_t, Node>> collection_of(Node node) const {
    std::optional<std::pair<std::size_t, Node>> found;
    for (const Node scalar : scalars_below(node)) {
      if (scalar.text().empty() || scalar.is_null()) continue;
      const ValueOrigin* const origin = marks_.of(scalar);
      if (origin == nullptr) {
        if (is_switch(scalar)) continue;  // takes no mark
        return std::nullopt;
      }
      const Leaf& leaf = origin->leaves.front();
      const Node own = origin->is_identity ? counterpart(node, scalar, leaf.node) : Node{};
      if (!own || (found && found->second != own)) return std::nullopt;
      found = {leaf.source, own};
    }
    return found;
  }

  [[nodiscard]] bool answer_with(std::size_t i, const ValueOrigin* origin) {
    if (origin == nullptr) return false;
    Answer& answer = answers_[i];
    answer.by = DecidedBy::value;
    answer.is_identity = origin->is_identity;
    for (const Leaf& leaf : origin->leaves) {
      Decider place = place_of(leaf.source, leaf.node, leaf.node.span());
      if (&leaf == &origin->leaves.front()) {
        answer.place = std::move(place);
      } else {
        answer.further.push_back(std::move(place));
      }
    }
    return true;
  }

  [[nodiscard]] bool answer_by_value(std::size_t i) {
    const Spot& spot = spots_[i];
    const bool names_key = spot.part == Spot::Part::key;
    if (names_key && answer_with(i, marks_.of(spot.node.key()))) return true;
    if (spot.node.is_scalar()) {
      if (!names_key && answer_with(i, marks_.of(spot.node))) return true;
      return spot.part == Spot::Part::entry && answer_with(i, marks_.of(spot.node.key()));
    }
    const auto own = collection_of(spot.node);
    if (!own) return false;
    const auto& [source, node] = *own;
    answers_[i].by = DecidedBy::value;
    answers_[i].is_identity = true;
    answers_[i].place =
        place_of(source, node, spot.part == Spot::Part::value ? node.span() : node.key_span());
    return true;
  }

  void answer_by_line(const std::string& name, std::size_t output,
                      const std::vector<std::size_t>& open) {
    std::vector<std::size_t> sources;
    std::size_t own = sources_.size();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const SourceText& source = sources_[i];
      if (source.kind == SourceText::Kind::template_text && source.name == name) own = i;
      if (own == i || source.kind == SourceText::Kind::helper) sources.push_back(i);
    }
    if (own == sources_.size()) return;
    std::vector<Node> targets;
    for (const std::size_t i : open) targets.push_back(spots_[i].node);
    lines_.find(output, own, sources, targets);
    for (const std::size_t i : open) {
      const auto line = lines_.of(spots_[i].node);
      if (!line) continue;
      answers_[i].by = DecidedBy::template_line;
      answers_[i].place = place_of_line(*line);
    }
  }

  /// Of a kustomization: the nearest scalar around the place whose source is known shows the object
  /// there, which has the place at the same path. Merge keys and names of objects take no mark.
  void answer_by_neighbour(std::size_t i) {
    const Spot& spot = spots_[i];
    std::vector<Node> path;  // from the place up
    for (Node node = spot.node; node; node = node.parent()) {
      const std::vector<Node> around = scalars_below(node);
      marks_.find(around);
      for (const Node scalar : around) {
        const ValueOrigin* const origin = marks_.of(scalar);
        if (origin == nullptr || !origin->is_identity) continue;
        const Leaf& leaf = origin->leaves.front();
        const Node own = descend(counterpart(node, scalar, leaf.node), path);
        if (!own || own.kind() != spot.node.kind() || own.text() != spot.node.text()) continue;
        answers_[i].by = DecidedBy::value;
        answers_[i].place = place_of(leaf.source, own,
                                     spot.part == Spot::Part::value ? own.span() : own.key_span());
        return;
      }
      path.push_back(node);
    }
  }

  /// The line without the blanks around it.
  [[nodiscard]] Decider place_of_line(const LinePlace& line) const {
    const std::string_view text = sources_[line.source].text;
    std::size_t begin = 0;
    for (std::uint32_t number = 1; number < line.number; ++number)
      begin = text.find('\n', begin) + 1;
    std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (begin < end && is_blank(text[begin])) ++begin;
    while (begin < end && is_blank(text[end - 1])) --end;
    return {line.source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), {}};
  }

  const std::vector<SourceText>& sources_;
  const std::vector<Question>& questions_;
  RenderingTrials& trials_;
  std::deque<RenderedText> parsed_;
  ValuesFiles values_;
  ValueMarks marks_;
  LineMarks lines_;
  std::vector<Spot> spots_;
  std::vector<Answer> answers_;
};

}  // namespace

std::vector<Answer> decide(const std::vector<RenderedTemplate>& plain,
                           const std::vector<SourceText>& sources,
                           const std::vector<Question>& questions, const Render& render,
                           std::size_t most) {
  if (questions.empty()) return {};
  RenderingTrials trials(plain, render, most);
  return Decision(sources, questions, trials).run(plain);
}

}  // namespace gpulint::render
