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
#include "backends/why_output.h"
#include "backends/why_words.h"
#include "backends/wrap.h"
#include "compiler/base/text.h"
#include "compiler/why/groups.h"
#include "compiler/why/pool_names.h"

namespace gpulint {
namespace {

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
    line(0, fmt::format("{}: every one fits some node", count_text(output_.known, "workload")));
  }

 private:
  [[nodiscard]] std::string ink(Ink color, std::string_view text) const {
    return paint(color, text, output_.presentation);
  }

  /// Words up to the end of the line; further lines stand two blanks deeper. Marks between
  /// backticks are for people who read without colour, too.
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

  /// The workloads that there are no nodes for: one paragraph for all.
  void write_unplaced(const std::vector<std::string>& names) {
    constexpr std::size_t most_names = 5;
    if (names.empty()) return;
    const std::size_t shown = std::min(names.size(), most_names);
    std::string text = fmt::format(
        "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    line(0, text + ": no nodes among the inputs", Ink::error, true);
    line(2, "name files with the cluster's nodes, too: kubectl get nodes -o yaml > nodes.yaml");
  }

  void write_obstacle(const why::Story& story) {
    if (!has_told_nodes(story) || story.change) return;
    const std::string_view unfinished = "Not every change of these files was tried";
    if (story.cannot.empty() && story.is_searched) return;
    out_ << '\n';
    if (story.cannot.empty()) {
      return line(0, fmt::format("{}: they are large; --workload names one", unfinished));
    }
    if (story.fits_nodes == Ternary::unknown) return line(0, "Not certain: " + story.cannot);
    line(0, story.is_searched ? fmt::format("{}: {}", no_change_text(story), story.cannot)
                              : fmt::format("{}; as they are: {}", unfinished, story.cannot));
  }

  /// Tasks of one name are told apart by the configuration that they run under.
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

  /// Its reason with both places, and what to do.
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
      line(4, fmt::format("demanded by {}", place_of_key(obstacle.demand, output_.sources)));
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
      line(0, fmt::format("and {} further away (--format json has all)",
                          count_text(left_out, "node")));
    }
    if (without.empty()) return;
    out_ << '\n';
    line(0, fmt::format("{} without such a device: {}", count_text(without.size(), "node"),
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
                     : is_nearest  ? ", nearest:"
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

  void write_change(const why::Change& change) {
    out_ << '\n';
    const std::string_view effect =
        change.is_certain ? "With this change it fits" : "With this change it may fit";
    line(0, fmt::format("{}: {}", effect, change.title), Ink::strong, true);
    bool is_rendered = false;
    for (const auto& [path, file] : change.files) {
      is_rendered = is_rendered || file.is_rendered;
      write_diff(unified_diff(path, file.before, file.after));
    }
    if (is_rendered) {
      line(0, "The file was rendered by Helm: make the change in the chart or its values.");
    } else if (output_.writing == WhyOutput::Writing::offered) {
      line(0, "`gpulint why --fix` with the same arguments writes it.");
    } else if (output_.writing == WhyOutput::Writing::done) {
      line(0, "It is written. Next, run `gpulint check` with the same files.");
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
    line(0, ways.size() == 1 ? "What would do it:" : "What would do it, one of:", Ink::strong,
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
  std::set<std::string> told_;  // demands whose origin is said already
};

}  // namespace

void emit_why_text(const WhyOutput& output, std::ostream& out) { Page(output, out).write(); }

}  // namespace gpulint
