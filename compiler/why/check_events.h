#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/project/event_texts.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/event_story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// A project that was read again, with the pods from texts of `kubectl describe pod`.
struct DescribedProject {
  /// Null if there is nothing to add: no such pod, no cluster, or several clusters.
  std::unique_ptr<Project> project;
  Request request;                 ///< The request that read it.
  std::vector<std::string> names;  ///< Names of the inputs with these texts.
};

/// Adds the pods that the named inputs and the text of --event describe, except pods that a
/// workload of the project may have created.
[[nodiscard]] DescribedProject read_described(const Project& project, const Request& request,
                                              const EventTexts& given, const LoadProject& load);

/// How to get more information.
struct EventHint {
  std::string text;  ///< Empty if there is no hint.
  std::vector<std::string> commands;
};

/// The events compared with the files, in their order, and their workloads.
struct CheckedEvents {
  EventTexts texts;
  std::vector<why::EventStory> stories;
  std::set<const WhySubject*> subjects;
  std::vector<std::string> described;  ///< Inputs that are texts of `kubectl describe pod`.
  EventHint hint;
};

/// Compares the events with the files. `subjects`: all workloads, or those that the request names:
/// then the events are about these. They must outlive the result.
[[nodiscard]] CheckedEvents check_events(EventTexts texts, std::vector<std::string> described,
                                         const Project& project, const WhySubjects& subjects,
                                         const Request& request);

/// Whether a workload certainly fits some node, without obstacles before it.
[[nodiscard]] bool does_fit(const WhySubject* subject);

}  // namespace gpulint
