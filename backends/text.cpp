#include "backends/text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/alike.h"
#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/snippet.h"
#include "backends/stream_origin.h"
#include "backends/unicode.h"
#include "compiler/base/counted.h"

namespace gpulint {
namespace {

constexpr std::size_t widest_line = 200;
constexpr std::size_t narrowest_source = 20;
constexpr std::size_t fewest_alike = 3;  // similar findings that are printed as one
constexpr std::size_t most_alike_places = 20;
constexpr std::size_t hanging_blanks = 2;  // of a message that takes several lines

/// `Deployment/default/web (app/templates/web.yaml) and 2 more objects`.
[[nodiscard]] std::string rendered_text(const RenderedPlace& place) {
  constexpr std::size_t most_objects = 4;
  const auto describe = [](const RenderedObject& object) {
    if (object.object.empty()) return object.template_name;
    return object.template_name.empty()
               ? object.object
               : fmt::format("{} ({})", object.object, object.template_name);
  };
  std::string text = describe(place.object);
  const std::size_t shown = std::min(place.others.size(), most_objects);
  for (std::size_t i = 0; i < shown; ++i) text += ", " + describe(place.others[i]);
  if (shown == place.others.size()) return text;
  return text + fmt::format(" and {}", count_text(place.others.size() - shown, "more object"));
}

/// Draws one finding: the numbers of all its lines share one gutter.
class FindingWriter {
 public:
  /// `others`: similar findings at other places.
  FindingWriter(const Run& run, const Diagnostic& diagnostic, std::vector<const Diagnostic*> others,
                std::ostream& out)
      : run_(run),
        diagnostic_(diagnostic),
        others_(std::move(others)),
        out_(out),
        gutter_(widest_number()) {}

  void write() {
    write_title();
    write_place("-->", diagnostic_.span, '^', ink_of(diagnostic_.severity), "");
    const std::size_t shown = places_shown(diagnostic_.related);
    for (std::size_t i = 0; i < shown; ++i) {
      const Label& label = diagnostic_.related[i];
      write_frame_line();
      write_place(":::", label.span, '-', Ink::related, label.message);
    }
    write_notes(diagnostic_.related.size() - shown);
    out_ << '\n';
  }

 private:
  [[nodiscard]] std::size_t widest_number() const {
    std::uint32_t line = run_.sources.file(diagnostic_.span).position(diagnostic_.span.begin).line;
    for (std::size_t i = 0; i < places_shown(diagnostic_.related); ++i) {
      const Span span = diagnostic_.related[i].span;
      line = std::max(line, run_.sources.file(span).position(span.begin).line);
    }
    return fmt::formatted_size("{}", line);
  }

  [[nodiscard]] std::size_t source_width() const {
    const std::size_t total =
        run_.presentation.width == 0 ? widest_line : std::min(run_.presentation.width, widest_line);
    const std::size_t frame = gutter_ + 3;
    return std::max(total > frame ? total - frame : 0, narrowest_source);
  }

  void write_title() {
    const std::string title =
        fmt::format("{}[{}]", to_string(diagnostic_.severity), printable(diagnostic_.rule->id));
    out_ << paint(ink_of(diagnostic_.severity), title, run_.presentation)
         << paint(Ink::strong,
                  wrapped(": " + printable(diagnostic_.message), cell_width(title), hanging_blanks,
                          run_.presentation.width),
                  run_.presentation)
         << '\n';
  }

  void write_frame(std::string_view number) {
    out_ << paint(Ink::frame, fmt::format("{:>{}} |", number, gutter_), run_.presentation);
  }

  void write_frame_line() {
    write_frame("");
    out_ << '\n';
  }

  void write_place(std::string_view arrow, Span span, char mark, Ink ink,
                   std::string_view message) {
    const SourceFile& file = run_.sources.file(span);
    const Snippet snippet = make_snippet(file, span, source_width());
    out_ << fmt::format("{:{}}", "", gutter_) << paint(Ink::frame, arrow, run_.presentation) << ' '
         << location_text(run_, span) << printable(origin_note(run_, span)) << '\n';
    write_frame_line();
    write_frame(file.has_lines() ? fmt::format("{}", snippet.line) : "");
    out_ << (snippet.text.empty() ? "" : " ") << snippet.text << '\n';
    write_frame("");
    std::string label(message);
    if (snippet.last_line > snippet.line) {
      const std::string lines = fmt::format("lines {} to {}", snippet.line, snippet.last_line);
      label = message.empty() ? lines : fmt::format("{} ({})", message, lines);
    }
    write_underline(snippet.indent + 1, std::string(snippet.width, mark), label, ink);
  }

  /// The label of the marked text is after the mark, and continues below its beginning.
  void write_underline(std::size_t column, const std::string& underline, std::string_view message,
                       Ink ink) {
    const std::size_t frame = gutter_ + 2;
    const std::size_t hang = column + cell_width(underline) + 1;
    const std::vector<std::string> lines =
        wrap_words(printable(message), frame + hang, frame + hang, run_.presentation.width);
    const std::string first = underline + (message.empty() ? "" : " " + lines.front());
    out_ << std::string(column, ' ') << paint(ink, first, run_.presentation) << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) {
      write_frame("");
      out_ << std::string(hang, ' ') << paint(ink, lines[i], run_.presentation) << '\n';
    }
  }

  void write_note(std::string_view kind, std::string_view text) {
    const std::size_t begin = gutter_ + 3 + kind.size() + 2;
    out_ << fmt::format("{:{}} ", "", gutter_) << paint(Ink::frame, "=", run_.presentation) << ' '
         << paint(Ink::strong, kind, run_.presentation) << ": "
         << wrapped(printable(text), begin, begin, run_.presentation.width) << '\n';
  }

  void write_notes(std::size_t hidden_places) {
    const bool any = hidden_places > 0 || !diagnostic_.help.empty() || diagnostic_.rendered ||
                     diagnostic_.fix.has_value() || !others_.empty();
    if (any) write_frame_line();
    if (hidden_places > 0) {
      write_note("note", fmt::format("{} not shown", count_text(hidden_places, "more place")));
    }
    if (diagnostic_.rendered) write_note("rendered", rendered_text(*diagnostic_.rendered));
    if (!diagnostic_.help.empty()) write_note("help", diagnostic_.help);
    if (diagnostic_.fix.has_value()) {
      const Fix& fix = *diagnostic_.fix;
      write_note("fix", fmt::format("{} ({})", fix.title, to_string(fix.safety)));
    }
    if (!others_.empty()) write_others();
  }

  /// The other places, one on each line: editors and terminals can follow them.
  void write_others() {
    write_note("also", fmt::format("{} like this one", count_text(others_.size(), "finding")));
    const std::size_t shown = std::min(others_.size(), most_alike_places);
    const std::string_view name = name_in(diagnostic_.message);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string_view other = name_in(others_[i]->message);
      out_ << fmt::format("{:{}}  ", "", gutter_) << paint(Ink::frame, ":::", run_.presentation)
           << ' ' << location_text(run_, others_[i]->span)
           << printable(origin_note(run_, others_[i]->span))
           << (other == name ? "" : " (" + printable(other) + ")") << '\n';
    }
    if (shown == others_.size()) return;
    write_note("note", fmt::format("{} not shown; --format concise lists them all",
                                   count_text(others_.size() - shown, "more place")));
  }

  const Run& run_;
  const Diagnostic& diagnostic_;
  std::vector<const Diagnostic*> others_;
  std::ostream& out_;
  std::size_t gutter_;
};

/// One of several similar findings, with the places of the others.
void write_alike(const Run& run, const std::vector<std::size_t>& alike, std::ostream& out) {
  std::vector<const Diagnostic*> others;
  for (const std::size_t i : alike) others.push_back(&run.diagnostics[i]);
  others.erase(others.begin());
  FindingWriter(run, run.diagnostics[alike.front()], std::move(others), out).write();
}

/// For a misspelt word, the likely word: without it the line does not help.
[[nodiscard]] std::string concise_hint(const Diagnostic& diagnostic) {
  const bool is_short =
      diagnostic.help.starts_with("did you mean `") && diagnostic.help.ends_with("`?");
  return is_short ? "; " + printable(diagnostic.help) : "";
}

[[nodiscard]] std::size_t count_fixes(const Run& run, Safety safety) {
  return static_cast<std::size_t>(std::ranges::count_if(run.diagnostics, [&](const Diagnostic& d) {
    return d.fix.has_value() && d.fix->safety == safety;
  }));
}

[[nodiscard]] std::string fixable_text(const Run& run) {
  const std::size_t safe = count_fixes(run, Safety::safe);
  const std::size_t unsafe = count_fixes(run, Safety::unsafe);
  std::vector<std::string> parts;
  if (safe > 0) parts.push_back(fmt::format("{} fixable with `gpulint fix`", safe));
  if (unsafe > 0) {
    parts.push_back(fmt::format("{} {} with `gpulint fix --unsafe-fixes`", unsafe,
                                safe > 0 ? "more" : "fixable"));
  }
  return parts.empty() ? "" : fmt::format("; {}", fmt::join(parts, ", "));
}

/// `pod train does not run`.
[[nodiscard]] std::string waiting_text(const std::vector<std::string>& pods) {
  const std::string name = pods.front().empty() ? "a pod" : "pod " + printable(pods.front());
  return pods.size() == 1 ? name + " does not run"
                          : fmt::format("{} and {} more do not run", name, pods.size() - 1);
}

/// `Failed: gone.yaml: No such file or directory (and 1 more error)`. The run must have errors.
[[nodiscard]] std::string failure_text(const Run& run) {
  const RunError& first = run.errors.front();
  const std::size_t more = run.errors.size() - 1;
  return fmt::format("Failed: {}{}{}{}", printable(first.file), first.file.empty() ? "" : ": ",
                     printable(first.message),
                     more == 0 ? "" : fmt::format(" (and {})", count_text(more, "more error")));
}

/// `Found 2 errors, 1 warning in 3 files; 1 fixable with `gpulint fix``, without a line break.
[[nodiscard]] std::string summary_text(const Run& run) {
  const Summary& summary = run.summary;
  const std::string files = count_text(summary.files, "file");
  std::vector<std::string> counts;
  if (summary.errors > 0) counts.push_back(count_text(summary.errors, "error"));
  if (summary.warnings > 0) counts.push_back(count_text(summary.warnings, "warning"));
  if (summary.infos > 0) counts.push_back(count_text(summary.infos, "info"));
  if (counts.empty()) {
    // "no problems" would mislead if an input shows a Pending pod
    if (run.read.waiting.empty() || !run.errors.empty()) return quiet_verdict(run);
    return fmt::format(
        "No finding in {} explains why {}: run `gpulint why` with the same arguments", files,
        waiting_text(run.read.waiting));
  }
  return fmt::format("Found {} in {}{}", fmt::join(counts, ", "), files, fixable_text(run));
}

/// The files, and the tasks if nothing else was read: of a source alone a reader wants to know
/// whether its tasks were.
[[nodiscard]] std::string read_text(const Run& run) {
  const ReadSummary& read = run.read;
  const std::string files = count_text(run.summary.files, "file");
  const bool is_tasks_alone =
      read.tasks > 0 && read.nodes + read.pools + read.releases + read.workloads == 0;
  return is_tasks_alone ? fmt::format("{}, {}", files, count_text(read.tasks, "task")) : files;
}

}  // namespace

std::string quiet_verdict(const Run& run) {
  const std::string files = count_text(run.summary.files, "file");
  if (!run.errors.empty()) return failure_text(run);
  if (run.read.is_nothing) return fmt::format("Nothing to check in {}", files);
  if (run.read.skipped == 0 || run.read.skipped > run.summary.files) {
    return fmt::format("No problems found in {}", read_text(run));
  }
  const std::size_t read = run.summary.files - run.read.skipped;
  if (read == 0) return fmt::format("No problems found: nothing in {} concerns GPUs", files);
  return fmt::format("No problems found: {} of {} {} GPUs", read, files,
                     read == 1 ? "concerns" : "concern");
}

void write_finding(const Run& run, const Diagnostic& diagnostic, std::ostream& out) {
  FindingWriter(run, diagnostic, {}, out).write();
}

void emit_text(const Run& run, std::ostream& out) {
  if (!run.errors.empty() && !run.diagnostics.empty() && run.presentation.summary) {
    out << wrapped(failure_text(run), 0, hanging_blanks, run.presentation.width) << "\n\n";
  }
  const std::vector<std::vector<std::size_t>> groups = group_alike(run.diagnostics);
  std::vector<const std::vector<std::size_t>*> group_of(run.diagnostics.size());
  for (const std::vector<std::size_t>& group : groups) {
    for (const std::size_t i : group) group_of[i] = &group;
  }
  for (std::size_t i = 0; i < group_of.size(); ++i) {
    const std::vector<std::size_t>& group = *group_of[i];
    if (group.size() < fewest_alike) {
      write_finding(run, run.diagnostics[i], out);
    } else if (group.front() == i) {
      write_alike(run, group, out);
    }
  }
  if (!run.presentation.summary) return;
  out << wrapped(summary_text(run), 0, hanging_blanks, run.presentation.width) << '\n';
}

void emit_concise(const Run& run, std::ostream& out) {
  for (const Diagnostic& diagnostic : run.diagnostics) {
    const std::string title =
        fmt::format("{}[{}]", to_string(diagnostic.severity), printable(diagnostic.rule->id));
    out << location_text(run, diagnostic.span) << ": "
        << paint(ink_of(diagnostic.severity), title, run.presentation) << ": "
        << printable(message_with_origin(run, diagnostic)) << concise_hint(diagnostic) << '\n';
  }
}

}  // namespace gpulint
