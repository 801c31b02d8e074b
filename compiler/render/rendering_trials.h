#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/render/marks.h"
#include "compiler/render/rendered_text.h"
#include "compiler/render/rendering.h"

namespace gpulint::render {

/// Renders with changed sources; nullopt if that fails.
using Render = std::function<std::optional<std::vector<RenderedTemplate>>(const Changed&)>;

/// A rendering with changed sources: the outputs that differ, by index, and their nodes by those of
/// the plain rendering.
struct Trial {
  std::map<std::size_t, std::unique_ptr<RenderedText>> changed;
  Twins twins;
};

/// The plain rendering, and trials with changed sources. The number of trials has a limit.
class RenderingTrials {
 public:
  RenderingTrials(const std::vector<RenderedTemplate>& plain, const Render& render,
                  std::size_t most)
      : plain_(plain), render_(render), left_(most), parsed_(plain.size()) {}

  /// A plain output, parsed at the first call.
  [[nodiscard]] const RenderedText& plain(std::size_t output);
  /// Renders. nullopt if that fails, if an output has other paths than before, or at the limit.
  [[nodiscard]] std::optional<Trial> run(
      const Changed& changed, const std::function<std::string(std::string_view)>& plain_key);
  [[nodiscard]] bool is_at_limit() const { return left_ == 0; }

 private:
  const std::vector<RenderedTemplate>& plain_;
  const Render& render_;
  std::size_t left_;
  std::vector<std::unique_ptr<RenderedText>> parsed_;
};

}  // namespace gpulint::render
