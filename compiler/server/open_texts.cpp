#include "compiler/server/open_texts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "backends/uri.h"
#include "compiler/base/text.h"

namespace gpulint::server {
namespace {

[[nodiscard]] std::string percent_decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      decoded.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (uri.size() < scheme.size() || !equal_fold(uri.substr(0, scheme.size()), scheme)) return {};
  uri.remove_prefix(scheme.size());
  const std::size_t slash = uri.find('/');  // before it: the host
  if (slash == std::string_view::npos) return {};
  std::string path =
      std::filesystem::path(percent_decode(uri.substr(slash))).lexically_normal().string();
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string uri_of_path(std::string_view path) { return "file://" + percent_encode(path); }

void OpenTexts::open(OpenText text) {
  std::string uri = text.uri;
  texts_.insert_or_assign(std::move(uri), std::move(text));
}

bool OpenTexts::change(const std::string& uri, std::int64_t version,
                       const std::vector<TextChange>& changes, Units units) {
  const auto found = texts_.find(uri);
  if (found == texts_.end()) return false;
  found->second.version = version;
  std::string& text = found->second.text;
  for (const TextChange& change : changes) {
    if (!change.begin) {
      text = change.text;
      continue;
    }
    const Lines lines(text, units);
    const std::uint32_t begin = lines.offset(*change.begin);
    const std::uint32_t end = std::max(lines.offset(change.end), begin);
    text.replace(begin, end - begin, change.text);
  }
  return true;
}

void OpenTexts::close(const std::string& uri) { texts_.erase(uri); }

const OpenText* OpenTexts::find(const std::string& uri) const {
  const auto found = texts_.find(uri);
  return found == texts_.end() ? nullptr : &found->second;
}

const OpenText* OpenTexts::find_path(std::string_view path) const {
  const auto found =
      std::ranges::find_if(texts_, [&](const auto& each) { return each.second.path == path; });
  return path.empty() || found == texts_.end() ? nullptr : &found->second;
}

}  // namespace gpulint::server
