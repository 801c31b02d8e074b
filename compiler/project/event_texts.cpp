#include "compiler/project/event_texts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/messages/parse.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/project/file_system.h"
#include "compiler/project/input_files.h"

namespace gpulint {
namespace {

/// Every text of kubectl with a message about a pending pod contains one of these.
constexpr auto words_of_events = std::to_array<std::string_view>(
    {"FailedScheduling", "PodScheduled", "NotTriggerScaleUp", "UnexpectedAdmissionError",
     "QuotaReserved", "in gang unschedulable", "nodes are available", "FailedCreate",
     "Error from server"});

[[nodiscard]] bool may_hold_events(std::string_view text) {
  return std::ranges::any_of(words_of_events, [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

constexpr std::string_view no_message =
    "the text has no message of a scheduler, autoscaler, queue, API server, kubelet or container "
    "runtime; paste the lines under `Events:` of `kubectl describe pod` (Kubernetes keeps events "
    "for one hour)";

[[nodiscard]] bool is_named(const Project& project, FileId file) {
  return std::ranges::find(project.named, file) != project.named.end();
}

/// Whether a file is a pasted message or log, without objects, values or tasks.
[[nodiscard]] bool is_prose(const Project& project, FileId file) {
  if (project.python.contains(file)) return false;
  const auto has_blank = [](const Node::Entry& entry) {
    return entry.key.text().find(' ') != std::string_view::npos;
  };
  return std::ranges::all_of(project.documents[file], [&](const auto& document) {
    const Node top = root(*document);  // `pods "x" is forbidden: …` is a mapping
    return !document->errors.empty() || top.is_scalar() ||
           (top.is_mapping() && std::ranges::all_of(top.fields(), has_blank));
  });
}

}  // namespace

Result<EventTexts> read_event_option(const std::string& event, const Request& request) {
  EventTexts texts;
  if (event.empty()) return texts;
  texts.is_given = true;
  texts.text = event;
  texts.name = "--event";
  texts.events = events::parse(event);
  const bool is_input = std::ranges::find(request.paths, "-") != request.paths.end();
  if (event == "-" && is_input) {
    return Error{"standard input cannot be an input and the text of --event at the same time"};
  }
  const bool is_file =
      event == "-" || (texts.events.empty() && disk().status(event).kind == FileStatus::Kind::file);
  if (is_file) {
    Result<DecodedBytes> bytes = disk().read(event);
    if (!bytes.ok()) return bytes.error();
    texts.text = std::move(bytes).value().text;
    texts.name = event;
    texts.events = events::parse(texts.text);
  }
  const bool has_any = !texts.events.empty() || !events::described_pod(texts.text).manifest.empty();
  if (has_any) return texts;
  return Error{fmt::format("--event: {}", no_message)};
}

std::vector<events::Event> events_in(std::string_view text) {
  return may_hold_events(text) ? events::parse(text) : std::vector<events::Event>{};
}

EventTexts find_events(const Project& project) {
  EventTexts texts;
  for (const FileId file : project.inputs) {
    const bool is_pasted = is_named(project, file) && is_prose(project, file);
    const bool is_of_nodes = std::ranges::all_of(  // nothing about pods
        project.documents[file], [](const auto& each) { return holds_only_nodes(*each); });
    if (is_of_nodes && !is_pasted) continue;
    const std::string_view text = project.sources.file(file).text();
    std::ranges::move(is_pasted ? events::parse(text) : events_in(text),
                      std::back_inserter(texts.events));
  }
  for (const events::Event& event : texts.events) texts.text += event.text + "\n";
  return texts;
}

std::string explain_missing_message(const Project& project) {
  const auto pasted =
      std::ranges::find_if(project.named, [&](FileId file) { return is_prose(project, file); });
  if (pasted == project.named.end()) return {};
  return fmt::format("{}: {}", project.sources.file(*pasted).path(), no_message);
}

std::vector<DescribedInput> described_inputs(const Project& project, const Request& request,
                                             const EventTexts& given) {
  std::vector<DescribedInput> inputs;
  const auto add = [&](const std::string& name, std::string_view text) {
    events::DescribedPod pod = events::described_pod(text);
    if (!pod.manifest.empty()) inputs.push_back({name, std::move(pod)});
  };
  for (const FileId id : project.named) {
    const SourceFile& file = project.sources.file(id);
    if (is_prose(project, id)) add(overlay_name(request, file), file.text());
  }
  if (given.is_given) add(given.name, given.text);
  return inputs;
}

}  // namespace gpulint
