#include "compiler/driver/event_texts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/messages/described_pod.h"
#include "compiler/messages/parse.h"
#include "compiler/project/file_system.h"
#include "compiler/project/path_words.h"
#include "compiler/schedule/best_fit.h"

namespace gpulint {
namespace {

/// Words without which no text of kubectl's holds a message about a pod that waits.
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
    "no message of a scheduler, an autoscaler, a queue, the API server, the kubelet or a container "
    "runtime is in the text; paste what stands under `Events:` in `kubectl describe pod` (it is "
    "kept for an hour)";

/// `Job/default/train` in parts; a role or file behind the name is left out.
struct WorkloadName {
  std::string_view name_space;
  std::string_view name;
};
[[nodiscard]] WorkloadName parts_of(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t second = text.find('/', first + 1);
  if (second == std::string_view::npos) return {};
  std::string_view name = text.substr(second + 1);
  name = name.substr(0, name.find_first_of("/ *"));
  return {text.substr(first + 1, second - first - 1), name};
}

/// Whether a pod may be one that the workload's controller makes: `train-5b6c7f889c-f54c6`.
[[nodiscard]] bool may_be_of(const events::Subject& pod, const WorkloadName& workload) {
  if (workload.name.empty()) return false;
  const bool is_elsewhere = !pod.name_space.empty() && pod.name_space != workload.name_space;
  // What does not say its namespace is applied to any.
  if (is_elsewhere && workload.name_space != "default") return false;
  if (pod.name == workload.name) return true;
  if (!pod.name.starts_with(workload.name)) return false;
  return workload.name.ends_with('-') || pod.name[workload.name.size()] == '-';
}

/// The different sets of nodes among the scopes.
[[nodiscard]] std::vector<const Cluster*> clusters_of(const Project& project) {
  std::vector<const Cluster*> clusters;
  for (const Scope& scope : project.scopes) {
    const Cluster& cluster = scope.corpus.cluster;
    const auto is_same = [&](const Cluster* known) {
      return std::ranges::equal(known->pools, cluster.pools, {}, &NodePool::node, &NodePool::node);
    };
    if (!cluster.pools.empty() && std::ranges::none_of(clusters, is_same)) {
      clusters.push_back(&cluster);
    }
  }
  return clusters;
}

/// The nodes of a scope, where it has any; where no scope is given, those that all scopes share.
[[nodiscard]] const Cluster* cluster_of(const WhySubject* subject, const Project& project) {
  if (subject != nullptr) return &subject->scope->corpus.cluster;
  const std::vector<const Cluster*> clusters = clusters_of(project);
  return clusters.size() == 1 ? clusters.front() : nullptr;
}

/// Paths that name one cluster of several: the folder where its nodes are, else their files.
[[nodiscard]] std::string paths_of(const Cluster& cluster, const Project& project,
                                   const std::vector<const Cluster*>& clusters) {
  const auto files_of = [&](const Cluster& each) {
    std::set<std::string> files;
    for (const NodePool& pool : each.pools) {
      if (pool.node) files.insert(project.sources.file(pool.node.span()).path());
    }
    return files;
  };
  const std::set<std::string> files = files_of(cluster);
  const std::string folder = files.empty() ? "" : folder_of(*files.begin());
  const auto is_in_folder = [&](const std::string& file) { return folder_of(file) == folder; };
  const bool is_own = std::ranges::all_of(clusters, [&](const Cluster* each) {
    return each == &cluster || std::ranges::none_of(files_of(*each), is_in_folder);
  });
  if (is_own && !folder.empty() && std::ranges::all_of(files, is_in_folder)) return folder;
  return fmt::to_string(fmt::join(files, " "));
}

/// One command for each cluster.
[[nodiscard]] EventHint name_a_cluster(const std::vector<const Cluster*>& clusters,
                                       const Project& project, const ToldEvents& told,
                                       const Request& request) {
  std::string text = " --event TEXT";
  if (!told.texts.is_given) {
    text.clear();
    for (const std::string& path : request.paths) {
      if (disk().status(path).kind != FileStatus::Kind::folder) text += " " + path;
    }
  } else if (told.texts.name != "--event") {
    text = " --event " + told.texts.name;
  }
  EventHint hint{fmt::format("The files describe {} clusters. Name the one that the pod is in:",
                             clusters.size()),
                 {}};
  for (const Cluster* cluster : clusters) {
    hint.commands.push_back("gpulint why " + paths_of(*cluster, project, clusters) + text);
  }
  return hint;
}

/// Whether files can show anything of what an event says.
[[nodiscard]] bool can_be_held(const why::EventStory& story) {
  return std::ranges::any_of(story.event.claims,
                             [](const events::Claim& claim) {
                               using Kind = events::ClaimKind;
                               return claim.kind == Kind::insufficient_resource ||
                                      claim.kind == Kind::untolerated_taint ||
                                      claim.kind == Kind::node_affinity ||
                                      claim.kind == Kind::no_machine;
                             }) &&
         story.event.speaker != events::Speaker::kubelet &&
         story.event.speaker != events::Speaker::kueue;
}

/// What the files lack of the nodes that an event is about, as kubectl calls it.
[[nodiscard]] std::string_view missing_nodes(const why::EventStory& story) {
  if (story.has_nodes) return {};
  return story.event.speaker == events::Speaker::karpenter ? "nodepools" : "nodes";
}

}  // namespace

bool does_fit(const WhySubject* subject) {
  return subject->subject.refusals.empty() && passes(subject->subject.obstacles) == Ternary::yes &&
         best_fit(*subject->subject.placement, subject->subject.workload) == Ternary::yes;
}

Result<EventTexts> read_event_option(const std::string& event, const Request& request) {
  EventTexts texts;
  texts.is_given = true;
  texts.text = event;
  texts.name = "--event";
  texts.events = events::parse(event);
  const bool is_input = std::ranges::find(request.paths, "-") != request.paths.end();
  if (event == "-" && is_input) {
    return Error{"standard input is an input and the text of --event: only one of them"};
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

namespace {

[[nodiscard]] bool is_named(const Project& project, FileId file) {
  return std::ranges::find(project.named, file) != project.named.end();
}

/// A message or a log, pasted into a file or into standard input: no objects, values or tasks.
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

EventTexts find_events(const Project& project) {
  EventTexts texts;
  for (const FileId file : project.inputs) {
    const bool is_pasted = is_named(project, file) && is_prose(project, file);
    if (project.documents[file].empty() && !is_pasted) continue;  // nothing is about GPUs
    const std::string_view text = project.sources.file(file).text();
    std::ranges::move(is_pasted ? events::parse(text) : events_in(text),
                      std::back_inserter(texts.events));
  }
  for (const events::Event& event : texts.events) texts.text += event.text + "\n";
  return texts;
}

std::string explain_silence(const Project& project) {
  const auto pasted =
      std::ranges::find_if(project.named, [&](FileId file) { return is_prose(project, file); });
  if (pasted == project.named.end()) return {};
  return fmt::format("{}: {}", project.sources.file(*pasted).path(), no_message);
}

namespace {

/// Whether Flyte may have called a pod so: by its execution, with the attempt at the end.
[[nodiscard]] bool may_be_execution(std::string_view pod) {
  const std::string_view attempt = pod.substr(pod.rfind('-') + 1);  // npos + 1 is 0
  return attempt.size() < pod.size() && !attempt.empty() && std::ranges::all_of(attempt, is_digit);
}

/// Which of the subjects a text about a pod is about, by the pod's name; the only one where it may
/// be. Null where that is unknown.
[[nodiscard]] const WhySubject* subject_of(const events::Subject& pod,
                                           const std::vector<WhySubject>& subjects,
                                           bool is_chosen) {
  const auto is_task = [](const WhySubject& each) { return each.subject.pod != nullptr; };
  const bool may_be_only =
      pod.name.empty() || is_chosen ||
      (!subjects.empty() && is_task(subjects.front()) && may_be_execution(pod.name));
  if (subjects.size() == 1 && may_be_only) return &subjects.front();
  const WhySubject* best = nullptr;
  std::size_t length = 0;
  for (const WhySubject& subject : subjects) {
    const WorkloadName name = parts_of(subject.subject.name);
    if (pod.name.empty() || !may_be_of(pod, name)) continue;
    if (name.name.size() <= length) continue;
    best = &subject;
    length = name.name.size();
  }
  return best;
}

}  // namespace

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

Overlay add_described(std::vector<DescribedInput> inputs, const std::vector<WhySubject>& subjects,
                      const Project& project, Request& request) {
  std::vector<WhySubject> declared = subjects;
  std::erase_if(declared, [](const WhySubject& subject) {
    return subject.subject.pod != nullptr && subject.subject.pod->assumed;
  });
  std::erase_if(inputs, [&](const DescribedInput& input) {
    return subject_of(input.pod.subject, declared, false) != nullptr;
  });
  const Cluster* const cluster = inputs.empty() ? nullptr : cluster_of(nullptr, project);
  if (cluster == nullptr) return {};
  Overlay overlay;
  for (const FileId id : project.named) {
    const SourceFile& file = project.sources.file(id);
    if (overlay_name(request, file) != "-") continue;
    overlay["-"] = DecodedBytes(std::string(file.text()), file.encoding());
  }
  if (request.paths.empty()) request.paths.emplace_back(".");
  const bool walks = std::ranges::any_of(request.paths, [](const std::string& path) {
    return path != "-" && disk().status(path).kind == FileStatus::Kind::folder;
  });
  // What is named next to a folder is compared with nodes that are named.
  std::set<std::string> files;
  for (const NodePool& pool : cluster->pools) {
    if (!walks || !pool.node) continue;
    const SourceFile& file = project.sources.file(pool.node.span());
    if (overlay_name(request, file) != "-") files.insert(file.path());
  }
  std::ranges::copy(files, std::back_inserter(request.nodes));
  for (DescribedInput& input : inputs) {
    const bool is_named = std::ranges::find(request.paths, input.name) != request.paths.end();
    if (!is_named) request.paths.push_back(input.name);
    overlay[input.name] =
        DecodedBytes(std::move(input.pod.manifest), SourceFile::Encoding::transcoded);
  }
  return overlay;
}

ToldEvents judge_events(EventTexts texts, const Project& project,
                        const std::vector<WhySubject>& subjects, bool is_chosen) {
  ToldEvents told{std::move(texts), {}, {}};
  for (const events::Event& event : told.texts.events) {
    const WhySubject* const subject = subject_of(event.subject, subjects, is_chosen);
    told.stories.push_back(why::judge(event, subject == nullptr ? nullptr : &subject->subject,
                                      cluster_of(subject, project)));
    if (subject != nullptr) told.subjects.insert(subject);
  }
  return told;
}

EventHint hint_for(const ToldEvents& told, const WhySubjects& subjects, const Project& project,
                   const Request& request) {
  EventHint hint;
  const auto is_comparable = std::ranges::find_if(told.stories, can_be_held);
  if (is_comparable == told.stories.end()) return hint;
  const std::vector<const Cluster*> clusters = clusters_of(project);
  if (told.subjects.empty() && clusters.size() > 1) {
    return name_a_cluster(clusters, project, told, request);
  }
  const events::Subject& pod = is_comparable->event.subject;
  if (told.subjects.empty() && subjects.known > 0 && pod.name.empty()) {
    hint.text = "Which of the workloads it is about is not said: --workload names one.";
  } else if (told.subjects.empty()) {
    hint.text = "With these files gpulint tells which label, taint, amount or line it is:";
    std::string command = "gpulint why";
    // A walk of this folder finds the new files; by their names they would be a scope of their own.
    const bool is_walked =
        request.paths.empty() || std::ranges::find(request.paths, ".") != request.paths.end();
    if (request.paths.empty()) command += " .";
    for (const std::string& path : request.paths) command += " " + path;
    if (const std::string_view nodes = missing_nodes(*is_comparable); !nodes.empty()) {
      hint.commands.push_back(fmt::format("kubectl get {0} -o yaml > {0}.yaml", nodes));
      if (!is_walked) command += fmt::format(" {}.yaml", nodes);
    }
    hint.commands.push_back(fmt::format("kubectl get pod {}{} -o yaml > pod.yaml",
                                        pod.name.empty() ? "NAME" : pod.name,
                                        pod.name_space.empty() ? "" : " -n " + pod.name_space));
    hint.commands.push_back(is_walked ? command : command + " pod.yaml");
  } else if (std::ranges::all_of(told.subjects, does_fit)) {
    hint.text =
        "By these files it fits: the cluster has other nodes, or other pods on them, or the pod "
        "that waits was made of something else.";
  }
  return hint;
}

}  // namespace gpulint
