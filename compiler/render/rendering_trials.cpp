#include "compiler/render/rendering_trials.h"

namespace gpulint::render {

const RenderedText& RenderingTrials::plain(std::size_t output) {
  std::unique_ptr<RenderedText>& parsed = parsed_[output];
  if (!parsed) parsed = std::make_unique<RenderedText>(plain_[output].name, plain_[output].text);
  return *parsed;
}

std::optional<Trial> RenderingTrials::run(
    const Changed& changed, const std::function<std::string(std::string_view)>& plain_key) {
  if (left_ == 0) return std::nullopt;
  --left_;
  std::optional<std::vector<RenderedTemplate>> outputs = render_(changed);
  if (!outputs || outputs->size() != plain_.size()) return std::nullopt;
  Trial trial;
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    RenderedTemplate& output = (*outputs)[i];
    if (output.name != plain_[i].name) return std::nullopt;
    if (output.text == plain_[i].text) continue;
    auto parsed = std::make_unique<RenderedText>(output.name, std::move(output.text));
    if (!pair_nodes(plain(i), *parsed, plain_key, trial.twins)) return std::nullopt;
    trial.changed.emplace(i, std::move(parsed));
  }
  return trial;
}

}  // namespace gpulint::render
