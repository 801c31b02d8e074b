#include "backends/html/stories.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/html/source_view.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/unified_diff.h"
#include "backends/why_words.h"
#include "compiler/why/pool_names.h"
#include "compiler/why/story.h"

namespace gpulint {
namespace {

constexpr std::size_t most_told_at_once = 3;  // stories; the others are in a fold
constexpr std::size_t most_told_groups = 3;
constexpr std::size_t most_linked_findings = 6;

class StoryPart {
 public:
  StoryPart(const Run& run, const why::Story& story, std::ostream& out)
      : run_(run), story_(story), out_(out) {}

  void write() {
    for (const std::string& refusal : story_.refusals) paragraph(prose_html(refusal));
    const bool has_groups = story_.refusals.empty() && story_.fits != Ternary::yes;
    if (has_groups) write_groups();
    if (story_.change) {
      write_change(*story_.change);
    } else {
      write_obstacle();
      write_ways();
    }
  }

 private:
  void paragraph(const std::string& html) { out_ << "<p>" << html << "</p>\n"; }

  void write_groups() {
    std::size_t shown = 0;
    std::size_t left_out = 0;
    std::vector<const NodePool*> without;
    for (const why::Group& group : story_.groups) {
      // Where it may fit somewhere, the nodes where it surely does not are not the question.
      if (story_.fits == Ternary::unknown && !group.is_open) continue;
      if (group.lacks_device) {
        without.insert(without.end(), group.pools.begin(), group.pools.end());
      } else if (shown++ < most_told_groups) {
        write_group(group, shown == 1 && story_.groups.size() > 1);
      } else {
        left_out += group.pools.size();
      }
    }
    std::string rest;
    if (left_out > 0) rest = fmt::format("{} further away. ", count_text(left_out, "node"));
    if (!without.empty()) {
      rest += fmt::format("{} without such a device: {}.", count_text(without.size(), "node"),
                          escape_markup(why::names_of(without)));
    }
    if (!rest.empty()) out_ << "<p class=\"quiet\">" << rest << "</p>\n";
  }

  void write_group(const why::Group& group, bool is_nearest) {
    const std::string count =
        group.pools.size() > 1 ? fmt::format(" ({} alike)", count_text(group.pools.size(), "node"))
                               : "";
    out_ << fmt::format("<p><strong>{}</strong>{}{}</p>\n<ul>\n",
                        escape_markup(why::names_of(group.pools)), count,
                        group.is_open ? ", may fit:"
                        : is_nearest  ? ", nearest:"
                                      : ":");
    if (group.terms.empty()) out_ << "<li>what its machines offer is not in these files</li>\n";
    for (const why::FailedTerm& failed : group.terms) write_term(failed);
    out_ << "</ul>\n";
  }

  void write_term(const why::FailedTerm& failed) {
    out_ << "<li>" << prose_html(term_text(failed));
    if (failed.term.found) {
      out_ << fmt::format(" <small>{}</small>",
                          escape_markup(place_of_key(failed.term.found, run_.sources)));
    }
    std::string more = prose_html(failed.remark);
    const std::string origin = origin_text(failed, run_.sources);
    if (told_.insert(origin).second) more += (more.empty() ? "" : "; ") + prose_html(origin);
    if (!more.empty()) out_ << "<br><span class=\"quiet\">" << more << "</span>";
    out_ << "</li>\n";
  }

  void write_change(const why::Change& change) {
    paragraph(
        fmt::format("<strong>{}:</strong> {}",
                    change.is_certain ? "With this change it fits" : "With this change it may fit",
                    prose_html(change.title)));
    bool is_rendered = false;
    for (const auto& [path, file] : change.files) {
      is_rendered = is_rendered || file.is_rendered;
      out_ << diff_html(unified_diff(path, file.before, file.after));
    }
    if (is_rendered) {
      paragraph("The file was rendered by Helm: make the change in the chart or its values.");
    }
  }

  void write_obstacle() {
    if (!story_.refusals.empty() || story_.fits == Ternary::yes || story_.cannot.empty()) return;
    const std::string_view begin = story_.fits == Ternary::unknown ? "Not certain"
                                   : story_.is_searched            ? no_change_text(story_)
                                                        : "Not every change was tried; as they are";
    paragraph(fmt::format("{}: {}", begin, prose_html(story_.cannot)));
  }

  void write_ways() {
    if (story_.ways.empty()) return;
    out_ << "<p><strong>What would do it:</strong></p>\n<ul>\n";
    for (const why::Way& way : story_.ways) {
      out_ << "<li>" << prose_html(way.title);
      for (const std::string& command : way.commands) {
        out_ << fmt::format("<pre>{}</pre>", escape_element(command));
      }
      if (!way.remark.empty())
        out_ << " <span class=\"quiet\">" << prose_html(way.remark) << "</span>";
      out_ << "</li>\n";
    }
    out_ << "</ul>\n";
  }

  const Run& run_;
  const why::Story& story_;
  std::ostream& out_;
  std::set<std::string> told_;  // demands whose origin is said already
};

[[nodiscard]] std::string heading(const why::Story& story, std::string_view name) {
  std::string nearest;
  if (story.nearest != nullptr && story.refusals.empty()) {
    nearest = fmt::format("<span class=\"quiet\">; nearest: {}</span>",
                          escape_markup(why::name_of(*story.nearest)));
  }
  const bool is_open = story.refusals.empty() && story.fits == Ternary::unknown;
  return fmt::format("<b class=\"{}\">{}</b> <strong>{}</strong> {}{}", is_open ? "open" : "no",
                     is_open ? "?" : "✗", escape_markup(name), verdict_text(story), nearest);
}

void write_links(const Run& run, std::size_t row, const PageLinks& links, std::ostream& out) {
  const auto found = links.findings_of_row.find(row);
  if (found == links.findings_of_row.end() || found->second.empty()) return;
  out << "<p class=\"quiet\">Findings:";
  const std::size_t shown = std::min(found->second.size(), most_linked_findings);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t number = found->second[i];
    out << fmt::format("{} <a href=\"#finding-{}\">{}</a>", i == 0 ? "" : ",", number,
                       escape_markup(run.diagnostics[number - 1].rule->id));
  }
  if (shown < found->second.size())
    out << fmt::format(" and {} more", found->second.size() - shown);
  out << "</p>\n";
}

/// A story of a matrix with the fold that it is told in.
struct Told {
  const why::Story* story = nullptr;
  std::string id;
  std::string name;
  std::size_t row = 0;  ///< 0: it has none.
};

[[nodiscard]] std::vector<Told> told_of(const PlacementMatrix& matrix, std::size_t number,
                                        std::size_t first) {
  std::vector<Told> told;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const PlacementMatrix::Row& row = matrix.rows[i];
    if (row.story == nullptr) continue;
    told.push_back({row.story, fmt::format("why-{}", first + i), row.workload, first + i});
  }
  for (std::size_t i = 0; i < matrix.refused.size(); ++i) {
    const why::Story* const story = matrix.refused[i];
    told.push_back({story, fmt::format("refused-{}-{}", number, i), "task " + story->task, 0});
  }
  return told;
}

enum class Fold { open, shut };

void write_story(const Run& run, const Told& told, Fold fold, const PageLinks& links,
                 std::ostream& out) {
  out << fmt::format("<details class=\"why\" id=\"{}\"{}><summary>{}</summary>\n", told.id,
                     fold == Fold::open ? " open" : "", heading(*told.story, told.name));
  write_links(run, told.row, links, out);
  StoryPart(run, *told.story, out).write();
  out << "</details>\n";
}

}  // namespace

void write_stories(const Run& run, std::size_t number, const PageLinks& links, std::ostream& out) {
  const std::vector<Told> told = told_of(run.placements[number], number, first_row_of(run, number));
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (i == most_told_at_once) {
      out << fmt::format("<details class=\"more\" id=\"more-{}\"><summary>{}</summary>\n", number,
                         count_text(told.size() - i, "more workload"));
    }
    const bool is_first = i == 0 && number == 0;
    write_story(run, told[i], is_first ? Fold::open : Fold::shut, links, out);
  }
  if (told.size() > most_told_at_once) out << "</details>\n";
}

}  // namespace gpulint
