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

/// A project that was read once more, with the pods that texts of `kubectl describe pod` show.
struct DescribedProject {
  /// Null where there is nothing to add: no such pod, no cluster, or several.
  std::unique_ptr<Project> project;
  Request request;                 ///< With which it was read.
  std::vector<std::string> names;  ///< Of the inputs that show the pods.
};

/// Adds the pods that the named inputs and the text of --event describe, but for those that a
/// workload of the project may have created.
[[nodiscard]] DescribedProject read_described(const Project& project, const Request& request,
                                              const EventTexts& given, const LoadProject& load);

/// What would tell more.
struct EventHint {
  std::string text;  ///< Empty: nothing would.
  std::vector<std::string> commands;
};

/// The events beside the files, in their order, and the subjects that they are about.
struct ToldEvents {
  EventTexts texts;
  std::vector<why::EventStory> stories;
  std::set<const WhySubject*> subjects;
  std::vector<std::string> described;  ///< Inputs that are texts of `kubectl describe pod`.
  EventHint hint;
};

/// The subjects are all that are known, or those that the request names: then the event is about
/// them. They must outlive the result.
[[nodiscard]] ToldEvents judge_events(EventTexts texts, std::vector<std::string> described,
                                      const Project& project, const WhySubjects& subjects,
                                      const Request& request);

/// Whether a workload surely fits somewhere.
[[nodiscard]] bool does_fit(const WhySubject* subject);

}  // namespace gpulint
