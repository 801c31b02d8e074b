#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backends/ink.h"
#include "backends/unicode.h"
#include "backends/why_output.h"
#include "backends/wrap.h"

namespace gpulint {
namespace {

using events::ClaimKind;
using events::Speaker;
using why::EventStory;
using why::JudgedClaim;
using why::Standing;

constexpr std::size_t usual_event_width = 100;
constexpr std::size_t most_words = 160;
constexpr std::size_t most_events = 20;

[[nodiscard]] std::string_view headline(const EventStory& story) {
  switch (story.event.speaker) {
    case Speaker::karpenter:
      return "no pool makes a node for it";
    case Speaker::cluster_autoscaler:
      return story.event.claims.front().kind == ClaimKind::scale_up ? "nodes are made for it"
                                                                    : "no node group grows for it";
    case Speaker::kueue:
      return "it is not admitted";
    case Speaker::kubelet:
      return story.event.claims.front().kind == ClaimKind::image_pull ? "its image is not pulled"
                                                                      : "the node turned it away";
    case Speaker::api_server:
      return "it refuses the pod";
    case Speaker::runtime:
      return "its container does not start";
    default:
      return "it is given no node";
  }
}

/// The words of a claim, cut where they are a log's.
[[nodiscard]] std::string words_of(const EventStory& story, const events::Claim& claim) {
  if (story.event.speaker == Speaker::karpenter && !claim.pool.empty()) {
    return fmt::format("pool {}", claim.pool);
  }
  if (claim.text.size() <= most_words) return claim.text;
  std::size_t end = most_words;
  while (end > 0 && (static_cast<unsigned char>(claim.text[end]) & 0xC0U) == 0x80U) --end;
  return claim.text.substr(0, end) + " …";
}

class EventPage {
 public:
  EventPage(const WhyOutput& output, std::ostream& out) : output_(output), out_(out) {
    const std::size_t width = output.presentation.width;
    width_ = width == 0 ? usual_event_width : width;
  }

  void write() {
    std::size_t shown = 0;
    for (const EventStory& story : *output_.events) {
      if (shown == most_events) break;
      if (shown++ > 0) out_ << '\n';
      write(story);
    }
    if (output_.events->size() > shown) {
      out_ << '\n';
      line(0, fmt::format("and {} more (--format json has all)",
                          count_text(output_.events->size() - shown, "event")));
    }
    if (!output_.event_hint.empty()) {
      out_ << '\n';
      line(0, output_.event_hint);
      for (const std::string& command : output_.event_commands) put_command(command, 2);
    }
  }

 private:
  void line(std::size_t indent, std::string_view text, Ink ink = Ink::code,
            bool is_colored = false) {
    const std::string lines =
        std::string(indent, ' ') + wrapped(printable(text), indent, indent + 2, width_);
    out_ << (is_colored ? paint(ink, lines, output_.presentation) : lines) << '\n';
  }

  void put_command(const std::string& command, std::size_t indent) {
    if (command.empty() || !told_.insert(command).second) return;
    out_ << std::string(indent, ' ')
         << paint(Ink::code, "$ " + printable(command), output_.presentation) << '\n';
  }

  [[nodiscard]] std::string place(Node node) const {
    if (!node) return {};
    const Span span = node.written().key_span();
    const SourceFile& file = output_.sources.file(span);
    const Position at = file.position(span.begin);
    return fmt::format(" ({}:{}:{})", file.path(), at.line, at.column);
  }

  void write(const EventStory& story) {
    const events::Event& event = story.event;
    std::string head(to_string(event.speaker));
    if (!event.subject.name.empty()) head += fmt::format(" about pod {}", event.subject.name);
    line(0, fmt::format("{}: {}", head, headline(story)), Ink::strong, true);
    if (!story.total.empty()) {
      line(2, story.total);
      put_command(story.command, 4);
    }
    for (const JudgedClaim& judged : story.claims) {
      const bool is_aside = judged.claim.kind == ClaimKind::preemption && story.claims.size() > 1;
      if (!is_aside) write(story, judged);
    }
  }

  void write(const EventStory& story, const JudgedClaim& judged) {
    line(2, words_of(story, judged.claim), Ink::strong, true);
    const std::string_view prefix =
        judged.standing == Standing::unexplained ? "not explained: " : "";
    line(4, fmt::format("{}{}{}", prefix, judged.finding, place(judged.found)));
    put_command(judged.command, 4);
  }

  const WhyOutput& output_;
  std::ostream& out_;
  std::size_t width_ = usual_event_width;
  std::set<std::string> told_;  // commands that stand above
};

}  // namespace

void emit_events_text(const WhyOutput& output, std::ostream& out) {
  EventPage(output, out).write();
}

}  // namespace gpulint
