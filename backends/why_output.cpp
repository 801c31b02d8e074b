#include "backends/why_output.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/ink.h"
#include "backends/unicode.h"
#include "backends/unified_diff.h"
#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/why/groups.h"
#include "compiler/why/pool_names.h"

namespace gpulint {
namespace {

/// The events alone: what each claims, and what the files say about it.
void emit_events_text(const WhyOutput& output, std::ostream& out);

/// Keys of `plugins.k8s` are known by their short names.
[[nodiscard]] std::string_view short_key(std::string_view dotted) {
  constexpr std::string_view section = "plugins.k8s.";
  if (dotted.starts_with(section)) return dotted.substr(section.size());
  return dotted;
}

[[nodiscard]] std::string label_text(const Term& term) {
  if (term.key.empty()) {
    return term.holds == Ternary::unknown ? "the pod may require labels that are not in these files"
                                          : "does not match the node affinity";
  }
  if (term.holds == Ternary::unknown) {
    return fmt::format("needs `{}`, unknown whether it has the label", demand_text(term));
  }
  // Karpenter's reason: the pod does not mention this label itself
  if (term.op.empty()) {
    return fmt::format("its requirements for `{}` exclude what the pod requires", term.key);
  }
  if (!term.actual) return fmt::format("needs `{}`, has no such label", demand_text(term));
  const bool is_unwanted = term.op == "DoesNotExist" || term.op == "NotIn";
  return fmt::format("needs `{}`, has `{}`", demand_text(term),
                     is_unwanted ? fmt::format("{}={}", term.key, *term.actual) : *term.actual);
}

[[nodiscard]] std::string_view stopped_text(Gate gate) {
  switch (gate) {
    case Gate::admission:
    case Gate::quota:
      return "is rejected";
    case Gate::queue:
      return "is never admitted by its queue";
    case Gate::device:
    case Gate::topology:
      return "fits no node";
    case Gate::node:
      return "does not run on its node";
    case Gate::capacity:
      return "does not run with all of its pods";
  }
  return {};
}

constexpr std::size_t usual_text_width = 100;

class Page {
 public:
  Page(const WhyOutput& output, std::ostream& out)
      : output_(output),
        out_(out),
        width_(output.presentation.width == 0 ? usual_text_width : output.presentation.width) {}

  void write() {
    const bool has_events = output_.events != nullptr && !output_.events->empty();
    if (has_events) emit_events_text(output_, out_);
    bool is_first = !has_events;
    std::vector<std::string> unplaced;
    for (const why::Story& story : output_.stories) {
      if (story.refusals.empty() && story.obstacles.empty() && is_without_nodes(story) &&
          story.fits == Ternary::no) {
        unplaced.push_back(name_of(story));
        continue;
      }
      if (!is_first) out_ << '\n';
      is_first = false;
      write(story);
    }
    if (!unplaced.empty() && !is_first) out_ << '\n';
    write_unplaced(unplaced);
    if (!output_.stories.empty() || has_events) return;
    if (output_.known == 0) return;
    line(0, fmt::format("{}: each fits at least one node", count_text(output_.known, "workload")));
  }

 private:
  [[nodiscard]] std::string ink(Ink color, std::string_view text) const {
    return paint(color, text, output_.presentation);
  }

  /// Wraps words at the end of the line; further lines are indented by two more blanks. Text in
  /// backticks keeps them without colours.
  void line(std::size_t indent, std::string_view text, Ink color = Ink::code,
            bool is_colored = false) {
    std::string blanks(indent, ' ');
    for (const std::string& each : wrap_words(printable(text), indent, indent + 2, width_)) {
      put(blanks + each, color, is_colored);
      blanks.assign(indent + 2, ' ');
    }
  }

  void put(std::string_view text, Ink color, bool is_colored) {
    out_ << (is_colored ? ink(color, text) : std::string(text)) << '\n';
  }

  void write(const why::Story& story) {
    write_verdict(story);
    for (const std::string& refusal : story.refusals) line(2, refusal);
    for (const Obstacle& obstacle : story.obstacles) write(obstacle);
    told_.clear();
    if (has_told_nodes(story)) write_groups(story);
    if (story.change) write_change(*story.change);
    if (story.refusals.empty() && !is_without_nodes(story)) write_obstacle(story);
    if (!story.change) write_ways(story.ways);
  }

  /// The workloads without nodes: one paragraph for all.
  void write_unplaced(const std::vector<std::string>& names) {
    constexpr std::size_t most_names = 5;
    if (names.empty()) return;
    const std::size_t shown = std::min(names.size(), most_names);
    std::string text = fmt::format(
        "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    line(0, text + ": no nodes among the inputs", Ink::error, true);
    line(2, "also name a file with the cluster's nodes: kubectl get nodes -o yaml > nodes.yaml");
  }

  void write_obstacle(const why::Story& story) {
    if (!has_told_nodes(story) || story.change) return;
    const std::string_view unfinished = "Not every change of these files was tried";
    if (story.cannot.empty() && story.is_searched) return;
    out_ << '\n';
    if (story.cannot.empty()) {
      return line(
          0, fmt::format("{}: they are large; choose one workload with --workload", unfinished));
    }
    if (story.fits_nodes == Ternary::unknown && !story.obstacles.empty()) return;
    if (story.fits_nodes == Ternary::unknown) return line(0, "Not certain: " + story.cannot);
    line(0, story.is_searched ? fmt::format("{}: {}", no_change_text, story.cannot)
                              : fmt::format("{}; without a change: {}", unfinished, story.cannot));
  }

  /// Tasks with the same name are distinguished by their configuration.
  [[nodiscard]] std::string name_of(const why::Story& story) const {
    if (story.task.empty()) return story.workload;
    const auto count = std::ranges::count(output_.stories, story.task, &why::Story::task);
    return fmt::format(
        "{} {}{}", story.is_assumed ? "assumed task" : "task", story.task,
        count > 1 && !story.source.empty() ? fmt::format(" ({})", story.source) : "");
  }

  void write_verdict(const why::Story& story) {
    const std::string name = name_of(story);
    if (story.fits == Ternary::yes) {
      return line(0, fmt::format("{}: fits {}", name, why::names_of(story.fitting)), Ink::added,
                  true);
    }
    line(0, fmt::format("{}: {}", name, verdict_text(story)), Ink::error, true);
  }

  /// Its reason with both places, and the advice.
  void write(const Obstacle& obstacle) {
    std::string text = obstacle.certainty == Certainty::certain
                           ? obstacle.reason
                           : fmt::format("not certain: {}", obstacle.reason);
    for (const Obstacle::Half& half : obstacle.others) {
      if (!half.node) continue;
      text += fmt::format(" ({})", place_of_key(half.node, output_.sources));
      break;
    }
    line(2, text);
    if (obstacle.demand) {
      line(4, fmt::format("required by {}", place_of_key(obstacle.demand, output_.sources)));
    }
    if (!obstacle.advice.empty()) line(4, obstacle.advice);
  }

  void write_groups(const why::Story& story) {
    std::vector<const NodePool*> without;
    std::size_t shown = 0;
    std::size_t left_out = story.further;
    for (const why::Group& group : story.groups) {
      if (group.lacks_device) {
        without.insert(without.end(), group.pools.begin(), group.pools.end());
      } else if (shown < why::most_shown_groups) {
        write(group, shown++ == 0 && story.groups.size() > 1);
      } else {
        left_out += group.pools.size();
      }
    }
    if (left_out > 0) {
      out_ << '\n';
      line(0,
           fmt::format("and {} not shown (--format json lists all)", count_text(left_out, "node")));
    }
    if (without.empty()) return;
    out_ << '\n';
    line(0, fmt::format("{} without the requested device: {}", count_text(without.size(), "node"),
                        why::names_of(without)));
  }

  void write(const why::Group& group, bool is_nearest) {
    out_ << '\n';
    const std::string count =
        group.pools.size() > 1 ? fmt::format(" ({} alike)", count_text(group.pools.size(), "node"))
                               : "";
    line(0,
         fmt::format("{}{}{}", why::names_of(group.pools), count,
                     group.is_open ? ", may fit:"
                     : is_nearest  ? " (closest match):"
                                   : ":"),
         Ink::strong, true);
    if (group.terms.empty()) line(2, open_text(group));
    for (const why::FailedTerm& failed : group.terms) write(failed);
  }

  void write(const why::FailedTerm& failed) {
    const Term& term = failed.term;
    std::string text = term_text(failed);
    if (term.found) text += fmt::format(" ({})", place_of_key(term.found, output_.sources));
    line(2, text);
    if (!failed.remark.empty()) line(4, failed.remark);
    const std::string origin = origin_text(failed, output_.sources);
    if (told_.insert(std::string(to_string(term.kind)) + demand_text(term)).second) line(4, origin);
  }

  void write_change(const why::FileChange& change) {
    out_ << '\n';
    const std::string_view effect =
        change.is_certain ? "With this change it fits" : "With this change it may fit";
    line(0, fmt::format("{}: {}", effect, change.title), Ink::strong, true);
    bool is_rendered = false;
    for (const auto& [path, file] : change.files) {
      is_rendered = is_rendered || file.is_rendered;
      write_diff(unified_diff(file.name, file.before, file.after));
    }
    if (is_rendered) {
      line(0, "The file was rendered by Helm: make the change in the chart or its values.");
    } else if (output_.writing == WhyOutput::Writing::offered) {
      line(0, "Run `gpulint why --fix` with the same arguments to write it.");
    } else if (output_.writing == WhyOutput::Writing::done) {
      line(0, "The change is written. Next, run `gpulint check` with the same files.");
    }
  }

  void write_diff(const std::string& diff) {
    for (std::string_view rest = diff; !rest.empty();) {
      const std::string_view text = take_part(rest, '\n');
      out_ << ink(ink_of_diff_line(text), printable(text)) << '\n';
    }
  }

  void write_ways(const std::vector<why::Way>& ways) {
    if (ways.empty()) return;
    out_ << '\n';
    line(0, ways.size() == 1 ? "To make it fit:" : "To make it fit, do one of these:", Ink::strong,
         true);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      line(2, ways.size() == 1 ? ways[i].title : fmt::format("{}. {}", i + 1, ways[i].title));
      for (const std::string& command : ways[i].commands) {
        out_ << "     " << ink(Ink::code, "$ " + printable(command)) << '\n';
      }
      if (!ways[i].remark.empty()) line(5, ways[i].remark);
    }
  }

  const WhyOutput& output_;
  std::ostream& out_;
  std::size_t width_;
  std::set<std::string> told_;  // requirements whose origin is printed already
};

using events::ClaimKind;

using events::Speaker;

using why::EventStory;

using why::CheckedClaim;

using why::Standing;

constexpr std::size_t usual_event_width = 100;

constexpr std::size_t most_words = 160;

constexpr std::size_t most_events = 20;

[[nodiscard]] std::string_view headline(const EventStory& story) {
  switch (story.event.speaker) {
    case Speaker::karpenter:
      return "no node pool can create a node for it";
    case Speaker::cluster_autoscaler:
      return story.event.claims.front().kind == ClaimKind::scale_up
                 ? "nodes are being created for it"
                 : "no node group can be scaled up for it";
    case Speaker::kueue:
      return "it is not admitted";
    case Speaker::kubelet:
      return story.event.claims.front().kind == ClaimKind::image_pull ? "its image cannot be pulled"
                                                                      : "the node rejected it";
    case Speaker::api_server:
      return "the pod is rejected";
    case Speaker::runtime:
      return "its container does not start";
    default:
      return "no node was found for it";
  }
}

/// The words of a claim, shortened if they come from a log.
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
      line(0, fmt::format("and {} more (--format json lists all)",
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
    for (const CheckedClaim& checked : story.claims) {
      const bool is_aside = checked.claim.kind == ClaimKind::preemption && story.claims.size() > 1;
      if (!is_aside) write(story, checked);
    }
  }

  void write(const EventStory& story, const CheckedClaim& checked) {
    line(2, words_of(story, checked.claim), Ink::strong, true);
    const std::string_view prefix =
        checked.standing == Standing::unexplained ? "not explained: " : "";
    line(4, fmt::format("{}{}{}", prefix, checked.finding, place(checked.found)));
    put_command(checked.command, 4);
  }

  const WhyOutput& output_;
  std::ostream& out_;
  std::size_t width_ = usual_event_width;
  std::set<std::string> told_;  // commands printed already
};

void emit_events_text(const WhyOutput& output, std::ostream& out) {
  EventPage(output, out).write();
}

}  // namespace

std::string place_of_key(Node node, const SourceSet& sources) {
  const Span span = sources.shown(node.written().key_span());
  const SourceFile& file = sources.file(span);
  if (file.is_rendered()) return file.path();
  const Position at = file.position(span.begin);
  return fmt::format("{}:{}:{}", file.path(), at.line, at.column);
}

bool is_without_nodes(const why::Story& story) {
  return story.groups.empty() && story.fitting.empty();
}

bool has_told_nodes(const why::Story& story) {
  const bool is_stopped = !story.refusals.empty() || passes(story.obstacles) == Ternary::no;
  return story.refusals.empty() &&
         (is_stopped ? story.fits_nodes == Ternary::no : story.fits_nodes != Ternary::yes);
}

std::string_view verdict_text(const why::Story& story) {
  return !story.refusals.empty()                  ? "is rejected"
         : passes(story.obstacles) == Ternary::no ? stopped_text(first_of(story.obstacles)->gate)
         : story.fits == Ternary::yes             ? "fits"
         : story.fits == Ternary::unknown         ? "may fit"
         : is_without_nodes(story)                ? "no nodes among the inputs"
                                                  : "fits no node";
}

std::string open_text(const why::Group& group) {
  if (!group.unknown.empty()) return group.unknown;
  return group.machines.empty() ? "the input files do not say what its machines offer"
                                : fmt::format(
                                      "its machines offer enough ({}); Karpenter creates a node "
                                      "when the pod is Pending",
                                      group.machines);
}

std::string term_text(const why::FailedTerm& failed) {
  const Term& term = failed.term;
  switch (term.kind) {
    case ReasonKind::untolerated_taint:
      if (!term.actual) return "it may have taints that are not listed";
      return fmt::format("has the taint `{}`, {}", taint_text(term),
                         term.holds == Ternary::unknown
                             ? "and whether the pod tolerates it is not known"
                             : "which is not tolerated");
    case ReasonKind::unschedulable:
      if (!term.key.starts_with("node.kubernetes.io")) {
        return fmt::format("Karpenter rejects it: {}", term.key);
      }
      return "is cordoned";
    case ReasonKind::insufficient_resource:
      if (term.is_assumed) {
        return fmt::format("needs {} `{}`, likely offers {}", fmt::join(term.values, ""), term.key,
                           term.actual.value_or("less"));
      }
      if (failed.is_unlisted) {
        return fmt::format(
            "needs {} `{}`, which the Node does not list; another plugin or scheduler may provide "
            "it",
            fmt::join(term.values, ""), term.key);
      }
      if (term.holds == Ternary::unknown) {
        return fmt::format("needs {} `{}`, offers an unknown amount", fmt::join(term.values, ""),
                           term.key);
      }
      return fmt::format("needs {} `{}`, offers {}", fmt::join(term.values, ""), term.key,
                         term.actual.value_or("none"));
    case ReasonKind::unallocated_claims:
      if (term.holds == Ternary::unknown) {
        return fmt::format("unknown whether it has free devices for the claims: {}", term.key);
      }
      return fmt::format("does not have the devices of the claims: {}", term.key);
    case ReasonKind::node_affinity:
    case ReasonKind::node_affinity_error:
    case ReasonKind::node_selector:
      if (!failed.is_reserved) return label_text(term);
      return fmt::format("`{}` is reserved: Karpenter rejects pods that select it", term.key);
  }
  return {};
}

std::string origin_text(const why::FailedTerm& failed, const SourceSet& sources) {
  using Kind = why::Origin::Kind;
  const why::Origin& origin = failed.origin;
  const bool is_taint = failed.term.kind == ReasonKind::untolerated_taint;
  const std::string at = origin.node ? place_of_key(origin.node, sources) : "";
  constexpr std::string_view of_accelerator = "; the value is the task's accelerator";
  const std::string_view remark = origin.is_value_of_accelerator ? of_accelerator : "";
  const std::string_view verb = is_taint ? "the toleration is missing in" : "required by";
  switch (origin.kind) {
    case Kind::manifest:
      return at.empty() ? "required by the pod" : fmt::format("{} {}", verb, at);
    case Kind::configuration:
      return fmt::format("{} {}, `{}`{}", verb, at, short_key(origin.key), remark);
    case Kind::flyte_default:
      if (origin.key.starts_with("task_resources")) {
        return fmt::format("required by Flyte's default of `{}`", origin.key);
      }
      return fmt::format(
          "{} `{}`, which is not configured{}",
          is_taint ? "the toleration is missing in" : "required by Flyte's default of",
          short_key(origin.key), remark);
    case Kind::task:
      return at.empty() ? fmt::format("required by the task itself, `{}`", origin.key)
                        : fmt::format("required by {}, `{}`", at, origin.key);
  }
  return {};
}

void emit_why_text(const WhyOutput& output, std::ostream& out) { Page(output, out).write(); }

}  // namespace gpulint
