#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// Whether `part` is a run of whole words of `name`, letter case ignored: `A100-SXM4-80GB` of
/// `NVIDIA-A100-SXM4-80GB`. Words end where a character is neither a letter nor a digit.
[[nodiscard]] bool is_part_of_name(std::string_view part, std::string_view name);

/// The only candidate that is a part of `word` or that `word` is a part of; nullopt where several
/// are, or none is.
[[nodiscard]] std::optional<std::string_view> only_with_part(
    std::string_view word, std::span<const std::string_view> candidates);

/// Sorts names by likeness to `word`: those that share a part with it first, then by edit distance,
/// equal ones by name.
void sort_by_likeness(std::string_view word, std::vector<std::string>& names);

}  // namespace gpulint
