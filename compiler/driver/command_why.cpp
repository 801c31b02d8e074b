#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/unified_diff.h"
#include "backends/why_output.h"
#include "compiler/base/text.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"
#include "compiler/place/owner_rows.h"
#include "compiler/place/placements.h"
#include "compiler/project/boundary.h"
#include "compiler/project/event_texts.h"
#include "compiler/project/input_files.h"
#include "compiler/project/not_compared.h"
#include "compiler/project/project.h"
#include "compiler/project/write_file.h"
#include "compiler/why/explain.h"
#include "compiler/why/groups.h"
#include "compiler/why/subjects.h"
#include "compiler/why/told_events.h"

namespace gpulint {
namespace {

[[nodiscard]] bool are_named(const Options& options) {
  return !options.workload.empty() || !options.tasks.empty();
}

[[nodiscard]] std::string name_of_row(const Placements& placed, const WhySubject& of) {
  return row_name(placed, *of.subject.placement, of.subject.workload);
}

/// Where none is named, what fits is not worth a word.
[[nodiscard]] std::vector<why::Story> tell_stories(const Project& project, const Placements& placed,
                                                   const std::vector<WhySubject>& chosen,
                                                   const ToldEvents& events,
                                                   const std::vector<std::string>& described,
                                                   const Options& options) {
  WhyQuestion question{.subjects = {}, .unplaced = 0, .described = described};
  const bool has_json =
      std::ranges::find(options.formats, "json", &FormatRequest::name) != options.formats.end();
  const bool folds = !has_json && !are_named(options);
  for (const WhySubject& one : chosen) {
    const bool fits = does_fit(&one);
    const bool is_meant = events.subjects.contains(&one);
    // A text was given: it is about this one.
    if (events.texts.is_given && !events.subjects.empty() && !is_meant) continue;
    if (folds && !is_meant && name_of_row(placed, one).empty()) continue;
    question.unplaced += fits ? 0 : 1;
    if (!fits || is_meant || are_named(options)) question.subjects.push_back(&one);
  }
  Explanations told = explain_workloads(project, placed, question, options);
  for (std::size_t i = 0; !has_json && i < told.stories.size(); ++i) {
    why::keep_shown(told.stories[i]);
    const std::string name = folds ? name_of_row(placed, *question.subjects[i]) : std::string{};
    if (!name.empty()) told.stories[i].workload = name;
  }
  if (told.is_cut_short && !options.quiet) {
    print_error(
        "the inputs are large: not for every workload a change of files was looked for; --workload "
        "names one");
  }
  return std::move(told.stories);
}

/// Tasks for which there is no pod.
void add_refused_tasks(const Placements& placed, const Options& options,
                       std::vector<why::Story>& stories) {
  if (!options.workload.empty()) return;
  for (const PlacementReport& report : placed.reports) {
    std::ranges::move(refused_stories(report), std::back_inserter(stories));
  }
}

/// What all stories change of one file.
struct FileChange {
  const why::Change::File* first = nullptr;
  std::vector<TextEdit> edits;  ///< Disjoint.
  bool is_partial = false;      ///< Some change of it overlaps another one.
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

/// Writes every change; a file that a tool made is left alone, with the reason.
[[nodiscard]] bool apply_changes(const Project& project, const Options& options,
                                 const std::vector<why::Story>& stories) {
  bool is_done = true;
  const auto fail = [&](const std::string& path, std::string_view why) {
    print_error(fmt::format("{}: {}", path, why));
    is_done = false;
  };
  for (const auto& [path, change] : merge_changes(stories)) {
    const auto outside = options.allow_outside
                             ? std::nullopt
                             : refuse_leaving(disk(), path, project.config.config.folder);
    if (path == stdin_name(options)) {
      fail(path, "standard input is not written");
    } else if (change.first->is_rendered) {
      fail(path, "rendered by Helm: make the change in the chart or its values");
    } else if (outside) {
      print_error(outside->message);
      is_done = false;
    } else if (const auto error = replace_file(path, change.first->before, changed_text(change))) {
      fail(path, error->message);
    } else if (change.is_partial) {
      fail(path, "changes for several workloads overlap: run again for the rest");
    }
  }
  return is_done;
}

/// Reads the inputs again with the pods that `kubectl describe pod` shows and no file declares. The
/// names of the inputs that show them.
[[nodiscard]] std::vector<std::string> take_described_pods(Options& options,
                                                           const EventTexts& texts,
                                                           std::unique_ptr<Project>& project) {
  std::vector<DescribedInput> inputs = described_inputs(*project, options, texts);
  if (inputs.empty()) return {};
  std::vector<std::string> names;
  for (const DescribedInput& input : inputs) names.push_back(input.name);
  Request all = options;
  all.workload.clear();
  all.tasks.clear();
  const Placements placed = place_workloads(*project);
  const Overlay pods =
      add_described(std::move(inputs), choose_subjects(placed, all).chosen, *project, options);
  if (pods.empty()) return {};
  project = load_project(options, pods);
  std::erase_if(names, [&](const std::string& name) { return !pods.contains(name); });
  if (options.quiet) return names;
  for (const std::string& name : names) {
    print_error(fmt::format(
        "{}: read as the pod; `kubectl describe` prints no node affinity, `kubectl get pod -o "
        "yaml` does",
        name == "-" ? stdin_name(options) : name));
  }
  return names;
}

/// The name among the paths where a single path is no file: `why embed`.
[[nodiscard]] std::string take_name(Options& options) {
  if (!options.workload.empty() || !options.event.empty()) return {};
  static constexpr std::array<std::string_view, 6> endings{".yaml", ".yml", ".json",
                                                           ".py",   ".txt", ".gz"};
  const auto is_name = [](const std::string& path) {
    return path != "-" && disk().status(path).kind == FileStatus::Kind::missing &&
           std::ranges::none_of(endings, [&](std::string_view end) { return path.ends_with(end); });
  };
  if (std::ranges::count_if(options.paths, is_name) != 1) return {};
  const auto at = std::ranges::find_if(options.paths, is_name);
  std::string name = *at;
  options.paths.erase(at);
  return name;
}

/// The name that is most like the one that was asked for, whole or in its last part; may be empty.
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

/// Why the name that was asked for is of no workload, or not of one alone. `is_path`: it was given
/// where files are named.
[[nodiscard]] Error unknown_workload(const Project& project, const Options& options,
                                     const WhySubjects& subjects, bool is_path) {
  constexpr std::size_t shown = 5;
  if (!subjects.ambiguous.empty()) {
    return Error{fmt::format("`{}` names several workloads: {}; give the whole name to --workload",
                             options.workload, fmt::join(subjects.ambiguous, ", "))};
  }
  const std::string asked =
      is_path ? fmt::format("`{}` is neither a file nor a workload", options.workload)
              : fmt::format("no workload `{}`", options.workload);
  std::vector<std::string> names = subjects.names;
  if (names.empty()) {
    const std::string missing = describe_missing(project);
    return Error{is_path ? fmt::format("`{}` is not a file; {}", options.workload, missing)
                         : missing};
  }
  if (const std::string near = nearest_workload(options.workload, names); !near.empty()) {
    return Error{fmt::format("{}; did you mean `{}`?", asked, near)};
  }
  const bool is_more = names.size() > shown;
  if (is_more) names.resize(shown);
  return Error{
      fmt::format("{}; there are {}{}", asked, fmt::join(names, ", "), is_more ? " …" : "")};
}

/// What --event gives; nothing where it is not there.
[[nodiscard]] Result<EventTexts> read_event(const Options& options) {
  if (options.event.empty()) return EventTexts{};
  return read_event_option(options.event, options);
}

/// What pods were made of and placed under that the files do not say.
void print_assumptions(const Project& project, const Placements& placed, const Options& options) {
  if (options.quiet) return;
  print_unmerged(project);
  print_unknown_amounts(project);
  if (runs_on_defaults(project)) {
    print_error("nothing of Flyte's among the inputs: tasks are placed under Flyte's defaults");
  }
  const std::string admission = describe_admission(placed);
  if (!admission.empty()) print_error(admission);
}

/// Why there is no story.
void print_silence(const Project& project, bool is_explained) {
  const std::string why = explain_silence(project);
  if (!why.empty()) {
    print_error(why);
  } else if (!is_explained) {
    print_error("nothing to explain: " + describe_missing(project));
  }
}

}  // namespace

int run_why(const Options& given) {
  Options options = given;
  const std::string named = take_name(options);
  if (!named.empty()) options.workload = named;
  Result<EventTexts> read = read_event(options);
  if (!read.ok()) return refuse(read.error());
  EventTexts texts = std::move(read).value();
  auto project = load_project(options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  if (!texts.is_given) texts = find_events(*project);
  const std::vector<std::string> described = take_described_pods(options, texts, project);
  for (const std::string& error : project->errors) print_error(error);
  Placements placed = place_workloads(*project);
  fold_owned(*project, placed);
  print_assumptions(*project, placed, options);
  const std::vector<std::string> unknown = describe_partial_releases(*project);
  for (const std::string& line : unknown) print_error(line);
  const WhySubjects subjects = choose_subjects(placed, options);
  if (!options.workload.empty() && subjects.chosen.empty()) {
    return refuse(unknown_workload(*project, options, subjects, !named.empty()));
  }
  const ToldEvents told =
      judge_events(std::move(texts), *project, subjects.chosen, are_named(options));
  std::vector<why::Story> stories =
      tell_stories(*project, placed, subjects.chosen, told, described, options);
  add_refused_tasks(placed, options, stories);
  using Writing = WhyOutput::Writing;
  const Writing writing = !options.apply                              ? Writing::offered
                          : apply_changes(*project, options, stories) ? Writing::done
                                                                      : Writing::failed;
  // Tasks were asked about, and there are no nodes to place them on.
  const bool are_missing = !options.tasks.empty() && subjects.chosen.empty();
  const EventHint hint = hint_for(told, subjects, options);
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
                         .event_hint = hint.text,
                         .event_commands = hint.commands};
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
  // A pod of which an event tells does not run, whatever the files say.
  return all_fit && told.stories.empty() ? 0 : 1;
}

}  // namespace gpulint
