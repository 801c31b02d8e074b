#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint {

/// A MIG profile name as go-nvlib parses it: `[<c>c.]<g>g.<gb>gb[+attribute,…|-attribute,…]`. Any
/// attribute is well-formed; whether a GPU has the profile is a separate question.
struct MigProfile {
  std::int64_t c = 0;  ///< Compute slices of the compute instance; equal to g if omitted.
  std::int64_t g = 0;  ///< Slices of the GPU instance.
  std::int64_t gb = 0;
  std::vector<std::string> attributes;           ///< After `+`: `me`, `gfx`, `me.all`.
  std::vector<std::string> negative_attributes;  ///< After `-`: `me`.

  friend bool operator==(const MigProfile&, const MigProfile&) = default;

  /// As NVIDIA writes it: without the `c` part if it equals g, without leading zeros.
  [[nodiscard]] std::string name() const;
  /// The name of the whole GPU instance: without the `c` part.
  [[nodiscard]] std::string instance_name() const;
  [[nodiscard]] bool is_whole_instance() const { return c == g; }
};

/// The problem of a profile name; `none` if it is well-formed.
enum class MigProfileProblem : std::uint8_t {
  none,
  empty,
  both_signs,      ///< `+` and `-` attributes.
  fields,          ///< Not `<g>g.<gb>gb` or `<c>c.<g>g.<gb>gb`.
  number,          ///< Beyond 64 bits.
  attribute,       ///< Empty, or a character other than letters, digits and dots.
  attribute_edge,  ///< Begins with a digit, begins or ends with a dot.
  duplicate_attribute
};

[[nodiscard]] MigProfileProblem check_mig_profile(std::string_view text);
/// nullopt if check_mig_profile() finds a problem.
[[nodiscard]] std::optional<MigProfile> parse_mig_profile(std::string_view text);

/// The extended resource for the profile with strategy `mixed`: `nvidia.com/mig-1g.5gb.me`. nullopt
/// if the device plugin publishes none: compute instances, names that are not DNS names.
[[nodiscard]] std::optional<std::string> mig_resource_name(const MigProfile& profile);

/// The profile for the part of a resource or label name after `mig-`: `1g.5gb.me` → `1g.5gb+me`;
/// `1g.24gb-me` stays. nullopt if no profile name has this form.
[[nodiscard]] std::optional<std::string> profile_of_resource_suffix(std::string_view suffix);

/// `1g.24gb+me.all` → `1g.24gb.me.all`: the name of the profile in configurations and labels, where
/// `+` is not allowed.
[[nodiscard]] std::string label_form(std::string_view profile);

/// The profile of `gpus` (all GPUs if empty) that the user most likely meant: `2g10gb`,
/// `partition_2g_10gb`, `MIG 1g.5gb`, `1g.5GB`, `1g.5gb.me`, or a near number. nullopt: unknown.
[[nodiscard]] std::optional<std::string_view> suggest_mig_profile(
    std::string_view text, std::span<const MigGpu* const> gpus = {});

}  // namespace gpulint
