#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/render/rendering_trials.h"
#include "compiler/render/template_lines.h"

namespace gpulint::render {

/// A line of a template.
struct LinePlace {
  std::size_t source = 0;    ///< The index of its file.
  std::uint32_t number = 1;  ///< From 1.
};

/// Finds the lines of templates that wrote rendered nodes: it appends comments to lines and
/// renders.
class LineMarks {
 public:
  /// `texts`: of all sources.
  LineMarks(std::vector<std::string_view> texts, RenderingTrials& trials)
      : texts_(std::move(texts)), trials_(trials) {}

  /// Finds the lines of nodes of one output. `sources`: the template and the files whose
  /// definitions it may use.
  void find(std::size_t output, std::size_t its_template, const std::vector<std::size_t>& sources,
            const std::vector<Node>& targets);

  /// nullopt: unknown.
  [[nodiscard]] std::optional<LinePlace> of(Node target) const;

 private:
  struct Mark {
    std::size_t source = 0;
    TemplateLine line;
  };
  using Chosen = std::vector<Mark>;
  struct Wanted {
    std::size_t output = 0;
    const std::vector<Node>& targets;
    std::size_t all = 0;  ///< The number of marks, if none is left out.
  };

  void divide(const Chosen& chosen, const Wanted& wanted);
  [[nodiscard]] std::optional<Trial> try_marks(const Chosen& chosen, std::size_t output);
  [[nodiscard]] bool keeps_scalars(const Trial& trial, std::size_t output);
  void read(const Trial& trial, const Chosen& chosen, const Wanted& wanted);
  void find_random(std::size_t output);

  std::vector<std::string_view> texts_;
  RenderingTrials& trials_;
  std::map<std::pair<const Document*, NodeIndex>, LinePlace> found_;
  std::map<std::pair<const Document*, NodeIndex>, bool> random_;  // scalars that differ each time
};

}  // namespace gpulint::render
