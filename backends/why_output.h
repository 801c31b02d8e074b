#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "compiler/base/source_file.h"
#include "compiler/why/event_story.h"
#include "compiler/why/story.h"

namespace gpulint {

/// What `gpulint why` prints. The references must outlive it.
struct WhyOutput {
  const SourceSet& sources;
  const std::vector<why::Story>& stories;
  std::size_t known = 0;  ///< Workloads and tasks in all, those that fit included.
  enum class Writing : std::uint8_t { offered, done, failed };
  Writing writing = Writing::offered;  ///< Of the changes.
  Presentation presentation;
  const std::vector<why::EventStory>* events = nullptr;  ///< Null where none was given or read.
  std::string event_text = {};                           ///< Of these.
  bool is_event_given = false;  ///< The text was given: the claims' offsets are into it.
  std::string event_hint = {};  ///< What would tell more, and how to get it.
  std::vector<std::string> event_commands = {};
};

void emit_why_json(const WhyOutput& output, std::ostream& out);

/// The events alone: what each claims and what the files have to say of it.
void emit_events_text(const WhyOutput& output, std::ostream& out);

/// One screen a workload, wrapped at words where the terminal (or 100 columns) ends.
void emit_why_text(const WhyOutput& output, std::ostream& out);

}  // namespace gpulint
