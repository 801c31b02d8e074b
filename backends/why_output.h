#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "compiler/why/event_story.h"
#include "compiler/why/story.h"

namespace gpulint {

/// What `gpulint why` prints. The references must outlive it.
struct WhyOutput {
  const SourceSet& sources;
  const std::vector<why::Story>& stories;
  std::size_t known = 0;  ///< All workloads and tasks, including those that fit.
  enum class Writing : std::uint8_t { offered, done, failed };
  Writing writing = Writing::offered;  ///< State of the changes.
  Presentation presentation;
  const std::vector<why::EventStory>* events = nullptr;  ///< Null if no event was given or read.
  std::string event_text = {};                           ///< The text of the events.
  bool is_event_given = false;  ///< The user gave the text: the claims' offsets point into it.
  std::string event_hint = {};  ///< What would give more information, and how to get it.
  std::vector<std::string> event_commands = {};
};

void emit_why_json(const WhyOutput& output, std::ostream& out);

/// One screen for each workload, wrapped at words to the terminal's width (else 100 columns).
void emit_why_text(const WhyOutput& output, std::ostream& out);

// The sentences of `why`'s stories, for a terminal and a page.

/// `values.yaml:3:9`: the key, if the node is a mapping's value.
[[nodiscard]] std::string place_of_key(Node node, const SourceSet& sources);

/// Whether there were no nodes to compare the workload with.
[[nodiscard]] bool is_without_nodes(const why::Story& story);

/// Whether to show nodes: not if the workload fits one, nor if it may fit one but something stops
/// it earlier.
[[nodiscard]] bool has_told_nodes(const why::Story& story);

/// The text after the workload's name: `fits no node`.
[[nodiscard]] std::string_view verdict_text(const why::Story& story);

/// The text before `cannot` if no change of files is shown. Other changes may help: only the author
/// can decide to remove a selector or to request less.
inline constexpr std::string_view no_change_text = "No automatic change helps";

/// Why nodes of the group may accept the workload, if no term fails.
[[nodiscard]] std::string open_text(const why::Group& group);

/// What nodes lack and what they have instead; names and values between backticks.
[[nodiscard]] std::string term_text(const why::FailedTerm& failed);

/// What requires it.
[[nodiscard]] std::string origin_text(const why::FailedTerm& failed, const SourceSet& sources);

}  // namespace gpulint
