#include "compiler/cel/semver.h"

#include <algorithm>
#include <charconv>

#include "compiler/base/text.h"

namespace gpulint::cel {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view identifier_characters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

[[nodiscard]] bool holds_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

[[nodiscard]] std::optional<std::uint64_t> read_number(std::string_view text) {
  if (text.empty() || !holds_only(text, digits)) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc()) return std::nullopt;
  return number;
}

/// Major, minor and the rest, as far as there are points.
[[nodiscard]] std::vector<std::string> split_fields(std::string_view text) {
  std::vector<std::string> fields;
  for (std::size_t dot = 0;
       fields.size() < 2 && (dot = text.find('.')) != std::string_view::npos;) {
    fields.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  fields.emplace_back(text);
  return fields;
}

[[nodiscard]] std::string without_leading_zeros(const std::string& part) {
  if (part.size() <= 1) return part;
  std::string rest = part.substr(std::min(part.find_first_not_of('0'), part.size()));
  if (rest.empty() || digits.find(rest.front()) == std::string_view::npos) rest.insert(0, "0");
  return rest;
}

}  // namespace

bool Semver::read_parts(std::string_view text) {
  for (const std::string_view part : split(text, '.')) {
    if (part.empty() || !holds_only(part, identifier_characters)) return false;
    Part read{read_number(part), std::string(part)};
    if (!read.number && holds_only(part, digits)) return false;
    parts_.push_back(std::move(read));
  }
  return true;
}

std::optional<Semver> Semver::parse(std::string_view text) {
  const std::vector<std::string> fields = split_fields(text);
  if (fields.size() != 3) return std::nullopt;
  std::string_view rest = fields[2];
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    for (const std::string_view part : split(rest.substr(plus + 1), '.')) {
      if (part.empty() || !holds_only(part, identifier_characters)) return std::nullopt;
    }
    rest = rest.substr(0, plus);
  }
  Semver version;
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    if (!version.read_parts(rest.substr(dash + 1))) return std::nullopt;
    rest = rest.substr(0, dash);
  }
  const std::string_view numbers[3] = {fields[0], fields[1], rest};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = read_number(numbers[i]);
    if (!number) return std::nullopt;
    version.numbers_[i] = *number;
  }
  return version;
}

std::optional<Semver> Semver::parse_normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> fields = split_fields(text);
  for (std::string& field : fields) field = without_leading_zeros(field);
  if (fields.size() < 3 && fields.back().find_first_of("+-") != std::string::npos) {
    return std::nullopt;
  }
  fields.resize(3, "0");
  return parse(fields[0] + "." + fields[1] + "." + fields[2]);
}

int Semver::compare(const Part& a, const Part& b) {
  if (a.number && b.number) return *a.number == *b.number ? 0 : (*a.number < *b.number ? -1 : 1);
  if (a.number.has_value() != b.number.has_value()) return a.number ? -1 : 1;
  return a.text == b.text ? 0 : (a.text < b.text ? -1 : 1);
}

int Semver::compare(const Semver& other) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (numbers_[i] != other.numbers_[i]) return numbers_[i] < other.numbers_[i] ? -1 : 1;
  }
  if (parts_.empty() != other.parts_.empty()) return parts_.empty() ? 1 : -1;
  const std::size_t common = std::min(parts_.size(), other.parts_.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const int order = compare(parts_[i], other.parts_[i]); order != 0) return order;
  }
  if (parts_.size() == other.parts_.size()) return 0;
  return parts_.size() < other.parts_.size() ? -1 : 1;
}

}  // namespace gpulint::cel
