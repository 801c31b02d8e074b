#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/render/rendering_trials.h"

namespace gpulint::render {

/// A file that takes part in a rendering.
struct SourceText {
  enum class Kind : std::uint8_t {
    values,         ///< Values of the chart, of a subchart, or of the user; a file of objects.
    kustomization,  ///< Its texts may be patches.
    template_text,  ///< A template with an output.
    helper          ///< A file with definitions, which any template may use.
  };
  Kind kind = Kind::values;
  std::string name;  ///< Of a template: as in RenderedTemplate; of a kustomization: its path.
  std::string_view text;
};

/// A place in one of the outputs of the plain rendering.
struct Question {
  std::size_t output = 0;
  std::uint32_t begin = 0;  ///< Byte offsets.
  std::uint32_t end = 0;
};

/// A place in a source.
struct Decider {
  std::size_t source = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string path;  ///< Dotted path of keys in a file with values; else empty.
};

struct Answer {
  DecidedBy by = DecidedBy::file;
  Decider place;                 ///< Unless `by` is `file`.
  bool is_identity = false;      ///< The text, or the collection, is that value, unchanged.
  std::vector<Decider> further;  ///< Other values that are in the same text.
  std::string path;              ///< Dotted path of keys in the rendered object.
};

/// What decides places of a rendering, in the order of the questions: a line of values, else a line
/// of the template, or in a kustomization the value at the same path as others that are known. It
/// marks sources and renders, at most `most` times. A pure function of its arguments, if `render`
/// is one.
[[nodiscard]] std::vector<Answer> decide(const std::vector<RenderedTemplate>& plain,
                                         const std::vector<SourceText>& sources,
                                         const std::vector<Question>& questions,
                                         const Render& render, std::size_t most = 60);

}  // namespace gpulint::render
