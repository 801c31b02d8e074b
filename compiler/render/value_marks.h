#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/render/marks.h"
#include "compiler/render/rendered_text.h"
#include "compiler/render/rendering_trials.h"

namespace gpulint::render {

/// The leaves of values whose texts are in a rendered scalar or key.
struct ValueOrigin {
  std::vector<Leaf> leaves;  ///< In the order of the text.
  bool is_identity = false;  ///< The scalar's text is that of its only leaf.
};

/// Finds where rendered scalars and keys come from: it marks values and renders.
class ValueMarks {
 public:
  /// `values`: the files with values by the index of their source. `texts`: of all sources.
  ValueMarks(const std::map<std::size_t, const RenderedText*>& values,
             std::vector<std::string_view> texts, RenderingTrials& trials)
      : values_(values), texts_(std::move(texts)), trials_(trials) {}

  /// Finds the leaves in scalars and keys of the plain rendering.
  void find(const std::vector<Node>& targets);
  /// Finds out whether rendered keys are keys of values: each of `pairs` is a rendered key and the
  /// key of values that it may be.
  void find_keys(const std::vector<std::pair<Node, Leaf>>& pairs);

  /// Null if no leaf was found.
  [[nodiscard]] const ValueOrigin* of(Node target) const;

 private:
  using Chosen = std::vector<std::size_t>;
  [[nodiscard]] std::vector<Leaf> candidates(const std::vector<Node>& targets) const;
  void divide(const Marks& marks, const Chosen& chosen, const std::vector<Node>& targets,
              std::vector<Leaf>* refused);
  void read(const Marks& marks, const Trial& trial, const std::vector<Node>& targets);
  void try_others(const std::vector<Leaf>& refused, const std::vector<Node>& targets);
  [[nodiscard]] bool is_decided(Node target) const;

  const std::map<std::size_t, const RenderedText*>& values_;
  std::vector<std::string_view> texts_;
  RenderingTrials& trials_;
  std::map<std::pair<const Document*, NodeIndex>, ValueOrigin> found_;
};

}  // namespace gpulint::render
