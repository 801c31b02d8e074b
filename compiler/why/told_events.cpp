#include "compiler/why/told_events.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/project/input_files.h"
#include "compiler/project/input_names.h"
#include "compiler/schedule/best_fit.h"

namespace gpulint {
namespace {

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

/// The nodes of a scope, where it has any; where no scope is given, those that all scopes share.
[[nodiscard]] const Cluster* cluster_of(const WhySubject* subject, const Project& project) {
  if (subject != nullptr) return &subject->scope->corpus.cluster;
  const Cluster* only = nullptr;
  for (const Scope& scope : project.scopes) {
    if (scope.corpus.cluster.pools.empty()) continue;
    const bool is_same =
        only == nullptr || std::ranges::equal(only->pools, scope.corpus.cluster.pools, {},
                                              &NodePool::node, &NodePool::node);
    if (!is_same) return nullptr;
    only = &scope.corpus.cluster;
  }
  return only;
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

/// Which of the subjects a text about a pod is about, by the pod's name; the only one where it may
/// be. Null where that is unknown.
[[nodiscard]] const WhySubject* subject_of(const events::Subject& pod,
                                           const std::vector<WhySubject>& subjects,
                                           bool is_chosen) {
  const auto is_task = [](const WhySubject& each) { return each.subject.pod != nullptr; };
  // Flyte calls pods by their execution.
  const bool may_be_only =
      pod.name.empty() || is_chosen || (!subjects.empty() && is_task(subjects.front()));
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

/// The described pods that no workload of `subjects` may have created, as manifests, with standard
/// input. The request receives what places them: their texts, and where it walks folders the files
/// of the only cluster. Empty where there is no such pod, no cluster, or several.
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

[[nodiscard]] EventHint hint_for(const ToldEvents& told, const WhySubjects& subjects,
                                 const Request& request) {
  EventHint hint;
  const auto is_comparable = std::ranges::find_if(told.stories, can_be_held);
  if (is_comparable == told.stories.end()) return hint;
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

ToldEvents judge_events(EventTexts texts, std::vector<std::string> described,
                        const Project& project, const WhySubjects& subjects,
                        const Request& request) {
  ToldEvents told{std::move(texts), {}, {}, std::move(described), {}};
  for (const events::Event& event : told.texts.events) {
    const WhySubject* const subject =
        subject_of(event.subject, subjects.chosen, names_workloads(request));
    told.stories.push_back(why::judge(event, subject == nullptr ? nullptr : &subject->subject,
                                      cluster_of(subject, project)));
    if (subject != nullptr) told.subjects.insert(subject);
  }
  told.hint = hint_for(told, subjects, request);
  return told;
}

}  // namespace gpulint
