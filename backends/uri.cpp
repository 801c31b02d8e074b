#include "backends/uri.h"

#include <filesystem>

#include <fmt/format.h>

namespace gpulint {
namespace {

[[nodiscard]] bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

[[nodiscard]] std::string absolute_path(const Run& run, std::string_view path) {
  const std::filesystem::path given(path);
  if (given.is_absolute()) return given.lexically_normal().generic_string();
  if (run.folder.empty()) return {};
  return (std::filesystem::path(run.folder) / given).lexically_normal().generic_string();
}

}  // namespace

std::string percent_encode(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    if (is_unreserved(c)) {
      uri.push_back(c);
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string repository_path(const Run& run, std::string_view path) {
  if (is_standard_input(path)) return std::string(path);
  const std::string absolute = absolute_path(run, path);
  if (absolute.empty()) return std::filesystem::path(path).lexically_normal().generic_string();
  std::string below = run.root;
  if (!below.ends_with('/')) below.push_back('/');
  const bool inside = !run.root.empty() && absolute.starts_with(below);
  return inside ? absolute.substr(below.size()) : absolute;
}

std::string repository_uri(const Run& run, std::string_view path) {
  const std::string reported = repository_path(run, path);
  return (reported.starts_with('/') ? "file://" : "") + percent_encode(reported);
}

std::string absolute_uri(const Run& run, std::string_view path) {
  if (is_standard_input(path)) return {};
  const std::string absolute = absolute_path(run, path);
  return absolute.empty() ? absolute : "file://" + percent_encode(absolute);
}

}  // namespace gpulint
