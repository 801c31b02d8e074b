#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/messages/described_pod.h"
#include "compiler/messages/event.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The events that a run is about.
struct EventTexts {
  std::string text;  ///< What was given; else the messages of the inputs, one a line.
  bool is_given = false;
  std::string name;  ///< Of what was given, as an input: its file, `-`, or `--event`.
  std::vector<events::Event> events;  ///< Their offsets are into what was given, or into a file.
};

/// The text of --event: itself, the file that it names, or standard input where it is `-`. An error
/// where nothing can be read, or no message is in it. Nothing where the option is empty.
[[nodiscard]] Result<EventTexts> read_event_option(const std::string& event,
                                                   const Request& request);

/// The events in a file: text of `kubectl describe` and `kubectl get events`, Events, pods that are
/// not scheduled.
[[nodiscard]] std::vector<events::Event> events_in(std::string_view text);

/// Those in the inputs.
[[nodiscard]] EventTexts find_events(const Project& project);

/// An input that describes a pod (`kubectl describe pod`).
struct DescribedInput {
  std::string name;  ///< As in an Overlay.
  events::DescribedPod pod;
};
/// Among the named inputs and the text of --event.
[[nodiscard]] std::vector<DescribedInput> described_inputs(const Project& project,
                                                           const Request& request,
                                                           const EventTexts& given);

/// What to say where a named input is prose and nothing was found: that it holds no message, and
/// what would be one. Empty where none is prose.
[[nodiscard]] std::string explain_silence(const Project& project);

}  // namespace gpulint
