#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/unified_diff.h"
#include "backends/why_output.h"
#include "compiler/base/text.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"
#include "compiler/project/write_changes.h"

namespace gpulint {
namespace {

/// All changes of one file, from all stories.
struct FileChange {
  const why::FileChange::File* first = nullptr;
  std::vector<TextEdit> edits;  ///< Disjoint.
  bool is_partial = false;      ///< Two changes of it overlap.
};

[[nodiscard]] std::map<std::string, FileChange> merge_changes(
    const std::vector<why::Story>& stories) {
  std::map<std::string, FileChange> changes;
  for (const why::Story& story : stories) {
    if (!story.change) continue;
    for (const auto& [path, file] : story.change->files) {
      FileChange& change = changes[path];
      if (change.first == nullptr) change.first = &file;
      const TextEdit edit = smallest_edit(file.before, file.after);
      const bool is_known = std::ranges::find(change.edits, edit) != change.edits.end();
      const bool is_free = std::ranges::none_of(change.edits, [&](const TextEdit& other) {
        return edit.begin <= other.end && other.begin <= edit.end;
      });
      if (is_free) change.edits.push_back(edit);
      change.is_partial = change.is_partial || (!is_free && !is_known);
    }
  }
  return changes;
}

[[nodiscard]] std::string changed_text(FileChange change) {
  std::ranges::sort(change.edits, std::greater<>());
  std::string text = change.first->before;
  for (const TextEdit& edit : change.edits) {
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
  }
  return text;
}

/// Writes every change. Generated files are left alone, with the reason.
[[nodiscard]] bool apply_changes(const Project& project, const Options& options,
                                 const std::vector<why::Story>& stories) {
  bool is_done = true;
  const auto fail = [&](const std::string& path, std::string_view why) {
    print_error(fmt::format("{}: {}", path, why));
    is_done = false;
  };
  for (const auto& [path, change] : merge_changes(stories)) {
    if (path == stdin_name(options)) {
      fail(path, "cannot write to standard input");
    } else if (change.first->is_rendered) {
      fail(path, "rendered by Helm: make the change in the chart or its values");
    } else {
      const std::vector<std::string> errors =
          write_changes(project, options, {{path, {change.first->before, changed_text(change)}}});
      for (const std::string& error : errors) print_error(error);
      is_done = is_done && errors.empty();
      if (errors.empty() && change.is_partial) {
        fail(path, "changes for several workloads overlap: run again for the rest");
      }
    }
  }
  return is_done;
}

/// Reads the inputs again with the pods that only `kubectl describe pod` shows. Returns the names
/// of the inputs that show them.
[[nodiscard]] std::vector<std::string> take_described_pods(Options& options,
                                                           const EventTexts& texts,
                                                           std::unique_ptr<Project>& project) {
  DescribedProject read = load_described(*project, options, texts);
  if (read.project == nullptr) return {};
  project = std::move(read.project);
  static_cast<Request&>(options) = std::move(read.request);
  if (options.quiet) return read.names;
  for (const std::string& name : read.names) {
    print_error(
        fmt::format("{}: read as the pod; `kubectl describe` omits node affinity, `kubectl get pod "
                    "-o yaml` shows it",
                    name == "-" ? stdin_name(options) : name));
  }
  return read.names;
}

/// Removes the one path that is not a file from the paths and returns it: `why embed`.
[[nodiscard]] std::string take_name(Options& options) {
  if (!options.workload.empty() || !options.event.empty()) return {};
  static constexpr std::array<std::string_view, 6> endings{".yaml", ".yml", ".json",
                                                           ".py",   ".txt", ".gz"};
  const auto is_name = [](const std::string& path) {
    std::error_code error;
    return path != "-" && !std::filesystem::exists(path, error) &&
           std::ranges::none_of(endings, [&](std::string_view end) { return path.ends_with(end); });
  };
  if (std::ranges::count_if(options.paths, is_name) != 1) return {};
  const auto at = std::ranges::find_if(options.paths, is_name);
  std::string name = *at;
  options.paths.erase(at);
  return name;
}

/// The name nearest to `asked`, compared whole or by its last part; may be empty.
[[nodiscard]] std::string nearest_workload(std::string_view asked,
                                           const std::vector<std::string>& names) {
  const auto last_part = [](std::string_view name) {
    return name.substr(name.find_last_of("/ ") + 1);  // npos + 1 is 0
  };
  const bool is_whole = asked.find('/') != std::string_view::npos;
  const bool is_task = asked.starts_with("task ");
  std::map<std::string_view, const std::string*> by_word;
  std::vector<std::string_view> words;
  for (const std::string& name : names) {
    if (is_task && !name.starts_with("task ")) continue;
    words.push_back(is_whole ? std::string_view(name) : last_part(name));
    by_word.emplace(words.back(), &name);
  }
  const auto near = nearest(is_whole ? asked : last_part(asked), words);
  return near ? *by_word.at(*near) : std::string{};
}

/// Why the name matches no workload, or several. `is_path`: it was given as a path.
[[nodiscard]] Error unknown_workload(const Project& project, const Options& options,
                                     const WhySubjects& subjects, bool is_path) {
  constexpr std::size_t shown = 5;
  if (!subjects.ambiguous.empty()) {
    return Error{
        fmt::format("`{}` matches several workloads: {}; use the whole name with --workload",
                    options.workload, fmt::join(subjects.ambiguous, ", "))};
  }
  const std::string asked =
      is_path ? fmt::format("`{}` is neither a file nor a workload", options.workload)
              : fmt::format("no workload `{}`", options.workload);
  std::vector<std::string> names = subjects.names;
  if (names.empty()) {
    const std::string missing = note_on_missing(project);
    return Error{is_path ? fmt::format("`{}` is not a file; {}", options.workload, missing)
                         : missing};
  }
  if (const std::string near = nearest_workload(options.workload, names); !near.empty()) {
    return Error{fmt::format("{}; did you mean `{}`?", asked, near)};
  }
  const bool is_more = names.size() > shown;
  if (is_more) names.resize(shown);
  return Error{fmt::format("{}; found {}{}", asked, fmt::join(names, ", "), is_more ? " …" : "")};
}

/// Prints what the placement assumes that the files do not contain.
void print_assumptions(const Project& project, const Placements& placed, const Options& options) {
  if (options.quiet) return;
  print_notes(notes_on_inputs(project), options);
  if (runs_on_defaults(project)) {
    print_error("no Flyte configuration among the inputs: tasks are placed with Flyte's defaults");
  }
  if (!placed.admission_note.empty()) print_error(placed.admission_note);
}

/// Prints why there is no story.
void print_silence(const Project& project, bool is_explained) {
  const std::string why = note_on_missing_message(project);
  if (!why.empty()) {
    print_error(why);
  } else if (!is_explained) {
    print_error("nothing to explain: " + note_on_missing(project));
  }
}

}  // namespace

int run_why(const Options& given) {
  Options options = given;
  const std::string named = take_name(options);
  if (!named.empty()) options.workload = named;
  Result<EventTexts> read = read_events(options.event, options);
  if (!read.ok()) return refuse(read.error());
  EventTexts texts = std::move(read).value();
  auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  if (!texts.is_given) texts = events_of(*project);
  std::vector<std::string> described = take_described_pods(options, texts, project);
  for (const std::string& error : project->errors) print_error(error);
  const Placements placed = place_project(*project);
  print_assumptions(*project, placed, options);
  const std::vector<std::string> unknown = notes_on_releases(*project);
  for (const std::string& line : unknown) print_error(line);
  const WhySubjects subjects = find_subjects(placed, options);
  if (!options.workload.empty() && subjects.chosen.empty()) {
    return refuse(unknown_workload(*project, options, subjects, !named.empty()));
  }
  const CheckedEvents told =
      tell_events(std::move(texts), std::move(described), *project, subjects, options);
  const bool has_json =
      std::ranges::find(options.formats, "json", &FormatRequest::name) != options.formats.end();
  const Explanations explained =
      explain_workloads(*project, placed, subjects.chosen, told,
                        has_json ? StoryDetail::all : StoryDetail::brief, options);
  const std::vector<why::Story>& stories = explained.stories;
  show_deciding_places(*project, options, stories);
  if (explained.is_cut_short && !options.quiet) {
    print_error(
        "the inputs are large: changes were not searched for every workload; choose one with "
        "--workload");
  }
  using Writing = WhyOutput::Writing;
  const Writing writing = !options.apply                              ? Writing::offered
                          : apply_changes(*project, options, stories) ? Writing::done
                                                                      : Writing::failed;
  // tasks were named, and there are no nodes to place them on
  const bool are_missing = !options.tasks.empty() && subjects.chosen.empty();
  const WhyOutput output{.sources = project->sources,
                         .stories = stories,
                         .known = are_missing ? 0 : subjects.known,
                         .writing = writing,
                         .presentation = {.color = wants_color(options.color),
                                          .hyperlinks = false,
                                          .width = terminal_width()},
                         .events = &told.stories,
                         .event_text = told.texts.text,
                         .is_event_given = told.texts.is_given,
                         .event_hint = told.hint.text,
                         .event_commands = told.hint.commands};
  const bool has_nothing =
      (subjects.known == 0 || are_missing) && stories.empty() && told.stories.empty();
  const int written = write_text(options, [&](bool is_json, std::ostream& out) {
    is_json ? emit_why_json(output, out) : emit_why_text(output, out);
  });
  if (written != 0 || !project->errors.empty()) return 2;
  if (has_nothing) print_silence(*project, !unknown.empty());
  if (has_nothing && (options.require_input || unknown.empty())) return 2;
  if (writing == Writing::failed) return 2;
  if (has_nothing) return 1;
  const bool all_fit = std::ranges::all_of(stories, [&](const why::Story& story) {
    return story.fits == Ternary::yes ||
           (options.apply && story.change && story.change->is_certain);
  });
  // a pod with an event does not run, whatever the files contain
  return all_fit && told.stories.empty() ? 0 : 1;
}

}  // namespace gpulint
