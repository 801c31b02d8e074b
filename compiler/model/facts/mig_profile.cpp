#include "compiler/model/facts/mig_profile.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Reads digits followed by exactly `unit`.
[[nodiscard]] MigProfileProblem read_field(std::string_view text, std::string_view unit,
                                           std::int64_t& value) {
  if (!text.ends_with(unit)) return MigProfileProblem::fields;
  const std::string_view digits = text.substr(0, text.size() - unit.size());
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return MigProfileProblem::fields;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} ? MigProfileProblem::none : MigProfileProblem::number;
}

[[nodiscard]] MigProfileProblem read_fields(std::string_view text, MigProfile& profile) {
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() != 2 && parts.size() != 3) return MigProfileProblem::fields;
  const std::size_t g_part = parts.size() - 2;
  MigProfileProblem problem = MigProfileProblem::none;
  if (g_part == 1) problem = read_field(parts[0], "c", profile.c);
  if (problem == MigProfileProblem::none) problem = read_field(parts[g_part], "g", profile.g);
  if (problem == MigProfileProblem::none) problem = read_field(parts.back(), "gb", profile.gb);
  if (g_part == 0) profile.c = profile.g;
  return problem;
}

[[nodiscard]] MigProfileProblem check_attribute(std::string_view attribute) {
  const auto is_allowed = [](char c) { return is_letter(c) || is_digit(c) || c == '.'; };
  if (attribute.empty() || !std::ranges::all_of(attribute, is_allowed)) {
    return MigProfileProblem::attribute;
  }
  const bool bad_edge =
      is_digit(attribute.front()) || attribute.front() == '.' || attribute.back() == '.';
  return bad_edge ? MigProfileProblem::attribute_edge : MigProfileProblem::none;
}

[[nodiscard]] MigProfileProblem read_attributes(std::string_view text,
                                                std::vector<std::string>& attributes) {
  for (const std::string_view attribute : split(text, ',')) {
    const MigProfileProblem problem = check_attribute(attribute);
    if (problem != MigProfileProblem::none) return problem;
    attributes.emplace_back(attribute);
  }
  std::vector<std::string> sorted = attributes;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end()
             ? MigProfileProblem::none
             : MigProfileProblem::duplicate_attribute;
}

[[nodiscard]] MigProfileProblem read_profile(std::string_view text, MigProfile& profile) {
  if (text.empty()) return MigProfileProblem::empty;
  const std::size_t plus = text.find('+');
  const std::size_t minus = text.find('-');
  const std::size_t sign = std::min(plus, minus);
  if (plus != std::string_view::npos && minus != std::string_view::npos) {
    return MigProfileProblem::both_signs;
  }
  const MigProfileProblem problem = read_fields(text.substr(0, sign), profile);
  if (problem != MigProfileProblem::none || sign == std::string_view::npos) return problem;
  return read_attributes(text.substr(sign + 1), plus != std::string_view::npos
                                                    ? profile.attributes
                                                    : profile.negative_attributes);
}

/// A DNS subdomain in lower case, as Kubernetes validates it, up to `limit` bytes.
[[nodiscard]] bool is_dns_subdomain(std::string_view name, std::size_t limit) {
  if (name.empty() || name.size() > limit) return false;
  for (const std::string_view label : split(name, '.')) {
    const auto is_end = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); };
    const auto is_middle = [&](char c) { return is_end(c) || c == '-'; };
    if (label.empty() || !is_end(label.front()) || !is_end(label.back())) return false;
    if (!std::ranges::all_of(label, is_middle)) return false;
  }
  return true;
}

struct NamedProfile {
  std::string_view name;
  MigProfile profile;
};

/// The profiles of these GPUs by name, each once.
[[nodiscard]] std::vector<NamedProfile> profiles_of(std::span<const MigGpu* const> gpus) {
  std::vector<NamedProfile> profiles;
  for (const MigGpu* gpu : gpus) {
    for (const MigGpuProfile& profile : gpu->profiles) {
      if (const auto read = parse_mig_profile(profile.name)) {
        profiles.push_back({profile.name, *read});
      }
    }
  }
  std::ranges::stable_sort(profiles, {}, &NamedProfile::name);
  const auto repeated = std::ranges::unique(profiles, {}, &NamedProfile::name);
  profiles.erase(repeated.begin(), repeated.end());
  return profiles;
}

/// Built on first use: thousands of misspelt names may be compared with them.
[[nodiscard]] const std::vector<NamedProfile>& profiles_of_all_gpus() {
  static const std::vector<NamedProfile> profiles = [] {
    std::vector<const MigGpu*> gpus;
    for (const MigGpu& gpu : mig_gpus()) gpus.push_back(&gpu);
    return profiles_of(gpus);
  }();
  return profiles;
}

/// One slice counts as much as this many gigabytes when comparing profiles.
constexpr std::int64_t slice_weight = 6;

[[nodiscard]] std::int64_t distance_between(const MigProfile& a, const MigProfile& b) {
  constexpr std::int64_t far = 10000;  // Beyond every GPU; keeps the sums small.
  const std::int64_t slices = std::abs(std::min(a.g, far) - std::min(b.g, far));
  const std::int64_t memory = std::abs(std::min(a.gb, far) - std::min(b.gb, far));
  const bool same_attributes =
      a.attributes == b.attributes && a.negative_attributes == b.negative_attributes;
  // Thor's profiles have no memory of their own, so no number means one
  const bool other_kind = (a.gb == 0) != (b.gb == 0);
  return slice_weight * slices + memory + (same_attributes ? 0 : 1) + (other_kind ? far : 0);
}

/// Removes `word` from the front, in any letter case.
bool drop(std::string_view& text, std::string_view word) {
  if (!equal_fold(text.substr(0, word.size()), word)) return false;
  text.remove_prefix(word.size());
  return true;
}

void drop_any_of(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

[[nodiscard]] std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

/// Splits common spellings of a profile, e.g. `partition_2g_10gb`, `MIG 1g.5gb`, `2g10gb`.
[[nodiscard]] std::optional<std::string> read_loosely(std::string_view text) {
  constexpr std::string_view separators = "-_. ";
  drop(text, "nvidia.com/");
  for (const std::string_view word : {"partition", "mig", "profile"}) drop(text, word);
  drop_any_of(text, separators);
  std::string_view g = take_digits(text);
  if (!g.empty() && drop(text, "c")) {
    drop_any_of(text, separators);
    g = take_digits(text);
  }
  if (g.empty() || !drop(text, "g")) return std::nullopt;
  drop_any_of(text, separators);
  const std::string_view gb = take_digits(text);
  if (gb.empty()) return std::nullopt;
  for (const std::string_view unit : {" ", "g", "i", "b"}) drop(text, unit);
  std::string name = fmt::format("{}g.{}gb", g, gb);
  if (text.empty()) return name;
  const char sign = text.front();
  std::string attribute = to_lower(text.substr(1));
  std::ranges::replace(attribute, '_', '.');
  const bool is_known = attribute == "me" || attribute == "gfx" || attribute == "me.all";
  if (!is_known || std::string_view("-+._").find(sign) == std::string_view::npos) {
    return std::nullopt;
  }
  return name + (sign == '-' ? "-" : "+") + attribute;
}

}  // namespace

std::string MigProfile::instance_name() const {
  if (!attributes.empty()) return fmt::format("{}g.{}gb+{}", g, gb, fmt::join(attributes, ","));
  if (negative_attributes.empty()) return fmt::format("{}g.{}gb", g, gb);
  return fmt::format("{}g.{}gb-{}", g, gb, fmt::join(negative_attributes, ","));
}

std::string MigProfile::name() const {
  return is_whole_instance() ? instance_name() : fmt::format("{}c.{}", c, instance_name());
}

MigProfileProblem check_mig_profile(std::string_view text) {
  MigProfile profile;
  return read_profile(text, profile);
}

std::optional<MigProfile> parse_mig_profile(std::string_view text) {
  MigProfile profile;
  if (read_profile(text, profile) != MigProfileProblem::none) return std::nullopt;
  return profile;
}

std::optional<std::string> mig_resource_name(const MigProfile& profile) {
  if (!profile.is_whole_instance()) return std::nullopt;
  const std::string suffix = "mig-" + label_form(profile.instance_name());
  constexpr std::size_t longest = 63;  // the device plugin's limit, including `nvidia.com/`
  if (!is_dns_subdomain(suffix, longest - std::string_view("nvidia.com/").size())) {
    return std::nullopt;
  }
  return "nvidia.com/" + suffix;
}

std::optional<std::string> profile_of_resource_suffix(std::string_view suffix) {
  std::string name(suffix);
  const std::size_t end_of_size = name.find("gb.");
  if (end_of_size != std::string::npos) name[end_of_size + 2] = '+';
  const std::optional<MigProfile> profile = parse_mig_profile(name);
  if (!profile || label_form(profile->name()) != suffix) return std::nullopt;
  return name;
}

std::string label_form(std::string_view profile) {
  std::string result(profile);
  std::ranges::replace(result, '+', '.');
  return result;
}

std::optional<std::string_view> suggest_mig_profile(std::string_view text,
                                                    std::span<const MigGpu* const> gpus) {
  constexpr std::size_t longest_sensible = 64;
  if (text.size() > longest_sensible) return std::nullopt;
  const std::optional<std::string> written = read_loosely(trim(text));
  const auto meant = written ? parse_mig_profile(*written) : std::nullopt;
  if (!meant) return std::nullopt;
  std::optional<std::string_view> best;
  constexpr std::int64_t largest_gb = 400;
  std::int64_t best_distance = std::min(meant->gb, largest_gb) / 2 + 2 * slice_weight;
  const std::vector<NamedProfile> own = profiles_of(gpus);
  for (const auto& [name, profile] : gpus.empty() ? profiles_of_all_gpus() : own) {
    const std::int64_t distance = distance_between(*meant, profile);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = name;
  }
  return best;
}

}  // namespace gpulint
