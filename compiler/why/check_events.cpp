#include "compiler/why/check_events.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/shell_word.h"
#include "compiler/base/text.h"
#include "compiler/messages/explain.h"
#include "compiler/project/input_files.h"
#include "compiler/project/input_names.h"
#include "compiler/project/path_words.h"
#include "compiler/schedule/best_fit.h"

namespace gpulint {
namespace {

/// The parts of `Job/default/train`, without a role or file after the name.
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

/// Whether the workload's controller may have created the pod: `train-5b6c7f889c-f54c6`.
[[nodiscard]] bool may_be_of(const events::Subject& pod, const WorkloadName& workload) {
  if (workload.name.empty()) return false;
  const bool is_elsewhere = !pod.name_space.empty() && pod.name_space != workload.name_space;
  // a manifest without a namespace may be applied to any
  if (is_elsewhere && workload.name_space != "default") return false;
  if (pod.name == workload.name) return true;
  if (!pod.name.starts_with(workload.name)) return false;
  return workload.name.ends_with('-') || pod.name[workload.name.size()] == '-';
}

/// The different sets of nodes among the scopes.
[[nodiscard]] std::vector<const Cluster*> distinct_clusters(const Project& project) {
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

/// The nodes of the subject's scope; without a subject those that all scopes share, else null.
[[nodiscard]] const Cluster* cluster_of(const WhySubject* subject, const Project& project) {
  if (subject != nullptr) return &subject->scope->corpus.cluster;
  const std::vector<const Cluster*> clusters = distinct_clusters(project);
  return clusters.size() == 1 ? clusters.front() : nullptr;
}

/// Arguments, each after a blank, that name one of several clusters: the folder of its nodes, or
/// their files.
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
  if (is_own && !folder.empty() && std::ranges::all_of(files, is_in_folder)) {
    return " " + shell_word(folder);
  }
  std::string words;
  for (const std::string& file : files) words += " " + shell_word(file);
  return words;
}

/// One command for each cluster.
[[nodiscard]] EventHint name_a_cluster(const std::vector<const Cluster*>& clusters,
                                       const Project& project, const CheckedEvents& told,
                                       const Request& request) {
  std::string text = " --event TEXT";
  if (!told.texts.is_given) {
    text.clear();
    for (const std::string& path : request.paths) {
      if (disk().status(path).kind != FileStatus::Kind::folder) {
        text += " " + shell_word(path);
      }
    }
  } else if (told.texts.name != "--event") {
    text = " --event " + shell_word(told.texts.name);
  }
  EventHint hint{fmt::format("The files describe {} clusters. Name the one that the pod is in:",
                             clusters.size()),
                 {}};
  for (const Cluster* cluster : clusters) {
    hint.commands.push_back("gpulint why" + paths_of(*cluster, project, clusters) + text);
  }
  return hint;
}

/// Whether files can explain a part of the event.
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

/// Whether an event is about a line of the pod for volumes or other pods.
[[nodiscard]] bool is_about_topology(const why::EventStory& story) {
  return std::ranges::any_of(story.claims, [](const why::CheckedClaim& checked) {
    return why::is_of_topology(checked.claim.kind) && checked.found;
  });
}

/// The resource that kubectl has to export: `nodes` or `nodepools`; empty if the files have nodes.
[[nodiscard]] std::string_view missing_nodes(const why::EventStory& story) {
  if (story.has_nodes) return {};
  return story.event.speaker == events::Speaker::karpenter ? "nodepools" : "nodes";
}

/// Whether Flyte may have created a pod of this name: an execution, with the attempt at the end.
[[nodiscard]] bool may_be_execution(std::string_view pod) {
  const std::string_view attempt = pod.substr(pod.rfind('-') + 1);  // npos + 1 is 0
  return attempt.size() < pod.size() && !attempt.empty() && std::ranges::all_of(attempt, is_digit);
}

/// The subject of a text about a pod, by the pod's name, or the only subject if possible. Null if
/// unknown.
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
  bool is_tied = false;  // `train` of two namespaces
  for (const WhySubject& subject : subjects) {
    const WorkloadName name = parts_of(subject.subject.name);
    if (pod.name.empty() || !may_be_of(pod, name)) continue;
    if (name.name.size() < length) continue;
    is_tied = name.name.size() == length;
    best = &subject;
    length = name.name.size();
  }
  return is_tied ? nullptr : best;
}

/// The described pods that no workload of `subjects` may have created, as manifests, and standard
/// input. Adds to the request their texts and, if it walks folders, the files of the only cluster.
/// Empty if there is no such pod, no cluster, or several clusters.
[[nodiscard]] Overlay add_described(std::vector<DescribedInput> inputs,
                                    const std::vector<WhySubject>& subjects, const Project& project,
                                    Request& request) {
  std::vector<WhySubject> declared = subjects;
  std::erase_if(declared, [](const WhySubject& subject) {
    return subject.subject.pod != nullptr && subject.subject.pod->assumed;
  });
  std::erase_if(inputs, [&](const DescribedInput& input) {
    return subject_of(input.pod.subject, declared, false) != nullptr;
  });
  const Cluster* const cluster = inputs.empty() ? nullptr : cluster_of(nullptr, project);
  if (cluster == nullptr) return {};
  Overlay overlay = standard_input_of(project.sources, request);
  if (request.paths.empty()) request.paths.emplace_back(".");
  const bool walks = std::ranges::any_of(request.paths, [](const std::string& path) {
    return path != "-" && disk().status(path).kind == FileStatus::Kind::folder;
  });
  // Files named next to a folder are compared only with named nodes.
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

[[nodiscard]] EventHint hint_for(const CheckedEvents& told, const WhySubjects& subjects,
                                 const Project& project, const Request& request) {
  EventHint hint;
  const auto is_comparable = std::ranges::find_if(told.stories, can_be_held);
  if (is_comparable == told.stories.end()) return hint;
  const std::vector<const Cluster*> clusters = distinct_clusters(project);
  if (told.subjects.empty() && clusters.size() > 1) {
    return name_a_cluster(clusters, project, told, request);
  }
  const events::Subject& pod = is_comparable->event.subject;
  if (told.subjects.empty() && subjects.known > 0 && pod.name.empty()) {
    hint.text = "The event does not name its workload. Choose one with --workload.";
  } else if (told.subjects.empty()) {
    hint.text = "With these files, gpulint can name the label, taint, amount or line:";
    std::string command = "gpulint why";
    // A walk finds the new files; if they were named, they would be a separate scope.
    const bool is_walked =
        request.paths.empty() || std::ranges::find(request.paths, ".") != request.paths.end();
    if (request.paths.empty()) command += " .";
    for (const std::string& path : request.paths) command += " " + shell_word(path);
    if (const std::string_view nodes = missing_nodes(*is_comparable); !nodes.empty()) {
      hint.commands.push_back(fmt::format("kubectl get {0} -o yaml > {0}.yaml", nodes));
      if (!is_walked) command += fmt::format(" {}.yaml", nodes);
    }
    hint.commands.push_back(events::pod_command("get", pod) + " -o yaml > pod.yaml");
    hint.commands.push_back(is_walked ? command : command + " pod.yaml");
  } else if (std::ranges::all_of(told.subjects, does_fit) &&
             std::ranges::none_of(told.stories, is_about_topology)) {
    hint.text =
        "In these files it fits. The cluster has other nodes or other pods, or the Pending pod was "
        "created from other files.";
  }
  return hint;
}

}  // namespace

bool does_fit(const WhySubject* subject) {
  return subject->subject.refusals.empty() && passes(subject->subject.obstacles) == Ternary::yes &&
         best_fit(*subject->subject.placement, subject->subject.workload) == Ternary::yes;
}

DescribedProject read_described(const Project& project, const Request& request,
                                const EventTexts& given, const LoadProject& load) {
  DescribedProject result{nullptr, request, {}};
  std::vector<DescribedInput> inputs = described_inputs(project, request, given);
  if (inputs.empty()) return result;
  for (const DescribedInput& input : inputs) result.names.push_back(input.name);
  Request all = request;
  all.workload.clear();
  all.tasks.clear();
  const Placements placed = place_workloads(project);
  const Overlay pods = add_described(std::move(inputs), choose_subjects(placed, all).chosen,
                                     project, result.request);
  std::erase_if(result.names, [&](const std::string& name) { return !pods.contains(name); });
  if (!pods.empty()) result.project = load(result.request, pods);
  return result;
}

CheckedEvents check_events(EventTexts texts, std::vector<std::string> described,
                           const Project& project, const WhySubjects& subjects,
                           const Request& request) {
  CheckedEvents told{std::move(texts), {}, {}, std::move(described), {}};
  for (const events::Event& event : told.texts.events) {
    const WhySubject* const subject =
        subject_of(event.subject, subjects.chosen, names_workloads(request));
    told.stories.push_back(why::check_event(event, subject == nullptr ? nullptr : &subject->subject,
                                            cluster_of(subject, project)));
    if (subject != nullptr) told.subjects.insert(subject);
  }
  told.hint = hint_for(told, subjects, project, request);
  return told;
}

}  // namespace gpulint
