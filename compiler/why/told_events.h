#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/project/event_texts.h"
#include "compiler/project/file_system.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/why/event_story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

/// The described pods that no workload of `subjects` may have created, as manifests, with standard
/// input. The request receives what places them: their texts, and where it walks folders the files
/// of the only cluster. Empty where there is no such pod, no cluster, or several.
[[nodiscard]] Overlay add_described(std::vector<DescribedInput> inputs,
                                    const std::vector<WhySubject>& subjects, const Project& project,
                                    Request& request);

/// The events beside the files, in their order, and the subjects that they are about.
struct ToldEvents {
  EventTexts texts;
  std::vector<why::EventStory> stories;
  std::set<const WhySubject*> subjects;
};

/// `subjects`: all that are known, or those that the user chose, of whom the event is then.
[[nodiscard]] ToldEvents judge_events(EventTexts texts, const Project& project,
                                      const std::vector<WhySubject>& subjects, bool is_chosen);

/// What would tell more.
struct EventHint {
  std::string text;  ///< Empty: nothing would.
  std::vector<std::string> commands;
};
[[nodiscard]] EventHint hint_for(const ToldEvents& told, const WhySubjects& subjects,
                                 const Request& request);

/// Whether a workload surely fits somewhere.
[[nodiscard]] bool does_fit(const WhySubject* subject);

}  // namespace gpulint
