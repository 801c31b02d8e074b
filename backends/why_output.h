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

/// One screen a workload, wrapped at words where the terminal (or 100 columns) ends.
void emit_why_text(const WhyOutput& output, std::ostream& out);

// How stories of `why` put things, on a terminal and on a page.

/// `values.yaml:3:9`, of the key where the node is a mapping's value.
[[nodiscard]] std::string place_of_key(Node node, const SourceSet& sources);

/// Whether nodes are told of: not where it fits them, nor where they may take a workload that
/// something stops before.
[[nodiscard]] bool has_told_nodes(const why::Story& story);

/// What follows the workload's name: `fits no node`.
[[nodiscard]] std::string_view verdict_text(const why::Story& story);

/// What precedes `cannot` where no change of files is shown. Other changes may help: to remove a
/// selector, or to ask for less, is the author's decision.
inline constexpr std::string_view no_change_text = "No automatic change helps";

/// Why nodes of the group may take it, where there is no term.
[[nodiscard]] std::string open_text(const why::Group& group);

/// What nodes lack, with what they have instead; names and values between backticks.
[[nodiscard]] std::string term_text(const why::FailedTerm& failed);

/// Who asks for it.
[[nodiscard]] std::string origin_text(const why::FailedTerm& failed, const SourceSet& sources);

}  // namespace gpulint
