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

/// The events that `gpulint why` explains.
struct EventTexts {
  std::string text;  ///< The text of --event, or else the messages of the inputs, one per line.
  bool is_given = false;              ///< By --event.
  std::string name;                   ///< Of the text of --event: its file, `-`, or `--event`.
  std::vector<events::Event> events;  ///< Offsets are into the text of --event, or into a file.
};

/// Reads --event, which is a text, the name of a file, or `-` for standard input. Empty if the
/// option is empty. An Error if the file is not readable or has no message.
[[nodiscard]] Result<EventTexts> read_event_option(const std::string& event,
                                                   const Request& request);

/// The events in a file: output of `kubectl describe` and `kubectl get events`, Event objects, and
/// pods that are not scheduled.
[[nodiscard]] std::vector<events::Event> events_in(std::string_view text);

/// The events in the inputs.
[[nodiscard]] EventTexts find_events(const Project& project);

/// An input with the output of `kubectl describe pod`.
struct DescribedInput {
  std::string name;  ///< As in an Overlay.
  events::DescribedPod pod;
};

/// The pods that named inputs and the text of --event describe.
[[nodiscard]] std::vector<DescribedInput> described_inputs(const Project& project,
                                                           const Request& request,
                                                           const EventTexts& given);

/// A line for a named input that is plain text without a known message: what to paste instead.
/// Empty if no named input is plain text.
[[nodiscard]] std::string explain_missing_message(const Project& project);

}  // namespace gpulint
