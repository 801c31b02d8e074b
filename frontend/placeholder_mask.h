#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"
#include "frontend/extent.h"

namespace gpulint {

struct MaskedPlaceholders {
  std::string text;
  std::vector<Extent> places;  ///< Of the placeholders, in order; never empty.
};

/// `text` with every placeholder that YAML would stumble over (`[${zone}a]`, `{user}/image`,
/// `%CODE%`, `@NAME@`) replaced by as many letters; nullopt where there is none.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_placeholders(std::string_view text);

/// The same for `{{ name }}`, wherever it stands.
[[nodiscard]] std::optional<MaskedPlaceholders> mask_names_in_braces(std::string_view text);

/// Gives the nodes of a document that was read from masked text their own text back, and marks
/// those that hold a placeholder as opaque. `masked` and `text` are equally long; nothing of the
/// document points into `masked` afterwards.
void unmask(Document& document, std::string_view masked, std::string_view text);

}  // namespace gpulint
