#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/project/file_system.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view standard_input = "-";
/// No disk has this number.
constexpr std::uint64_t memory_device = ~std::uint64_t{0};

[[nodiscard]] bool is_path_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.size() > 1;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

MemoryFiles::MemoryFiles(Overlay texts, const FileSystem* behind) : behind_(behind) {
  for (auto& [path, text] : texts) set(path, std::move(text));
}

void MemoryFiles::set(const std::string& path, DecodedBytes text) {
  texts_.insert_or_assign(whole(path), std::move(text));
}

void MemoryFiles::add_link(const std::string& path, const std::string& target) {
  links_.insert_or_assign(whole(path), target);
}

std::string MemoryFiles::current_folder() const {
  return behind_ == nullptr ? "/" : behind_->current_folder();
}

/// The absolute path without `.`, `..` and a slash at the end.
std::string MemoryFiles::whole(const std::string& path) const {
  if (path == standard_input) return path;
  std::string result = (fs::path(current_folder()) / path).lexically_normal().string();
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

/// The absolute path without links.
std::string MemoryFiles::follow(const std::string& path) const {
  std::string at = whole(path);
  for (int step = 0; step < most_links; ++step) {
    const auto link = std::ranges::find_if(links_, [&](const auto& each) {
      return at == each.first || is_path_below(at, each.first);
    });
    if (link == links_.end()) break;
    const fs::path target = fs::path(link->first).parent_path() / link->second;
    at = whole(target.string() + at.substr(link->first.size()));
  }
  return at;
}

FileStatus MemoryFiles::status_of_text(const std::string& whole) const {
  const auto text = texts_.lower_bound(whole);
  if (text != texts_.end() && text->first == whole) {
    const auto number = static_cast<std::uint64_t>(std::distance(texts_.begin(), text));
    return {.kind = FileStatus::Kind::file, .identity = {memory_device, number}};
  }
  const bool is_folder = whole == "/" || std::ranges::any_of(texts_, [&](const auto& each) {
                           return is_path_below(each.first, whole);
                         });
  return {.kind = is_folder ? FileStatus::Kind::folder : FileStatus::Kind::missing};
}

FileStatus MemoryFiles::status(const std::string& path) const {
  if (behind_ != nullptr) {
    const FileStatus there = behind_->status(path);
    if (there.exists()) return there;
  }
  FileStatus result = status_of_text(follow(path));
  result.is_link = links_.contains(whole(path));
  return result;
}

std::string MemoryFiles::link_target(const std::string& path) const {
  const auto link = links_.find(whole(path));
  if (link != links_.end()) return link->second;
  return behind_ == nullptr ? "" : behind_->link_target(path);
}

Result<DecodedBytes> MemoryFiles::read(const std::string& path) const {
  const auto text = texts_.find(follow(path));
  if (text != texts_.end()) return text->second;
  if (behind_ != nullptr) return behind_->read(path);
  return Error{fmt::format("{}: no such file", path)};
}

FoundFiles MemoryFiles::find(const std::string& folder, const IsExcluded& is_excluded) const {
  if (behind_ != nullptr) return behind_->find(folder, is_excluded);
  FoundFiles found;
  const std::string top = whole(folder);
  const auto add = [&](const std::string& path) {
    if (!is_path_below(path, top) || !has_read_name(fs::path(path).filename().native())) return;
    const std::string relative = path.substr(top == "/" ? 1 : top.size() + 1);
    std::string shown = folder == "." ? relative : (fs::path(folder) / relative).string();
    if (!is_excluded(shown)) found.paths.push_back(std::move(shown));
  };
  for (const auto& [path, text] : texts_) add(path);
  for (const auto& [path, target] : links_) {
    if (status(path).kind == FileStatus::Kind::file) add(path);
  }
  std::ranges::sort(found.paths);
  return found;
}

std::optional<std::vector<std::string>> MemoryFiles::tree(const std::string& folder,
                                                          std::size_t most) const {
  if (behind_ != nullptr) return behind_->tree(folder, most);
  const std::string top = whole(folder);
  std::set<std::string> entries;
  for (const auto& [path, text] : texts_) {
    for (fs::path at = path; is_path_below(at.string(), top); at = at.parent_path()) {
      entries.insert(at.lexically_relative(top).string());
    }
  }
  if (entries.size() > most) return std::nullopt;
  return std::vector<std::string>(entries.begin(), entries.end());
}

std::optional<Error> MemoryFiles::replace(const std::string& path, std::string_view expected,
                                          std::string_view text) {
  const auto file = texts_.find(follow(path));
  if (file == texts_.end()) return Error{"no such file"};
  if (file->second.text != expected) return Error{"changed in the meantime; not written"};
  file->second.text = text;
  return std::nullopt;
}

}  // namespace gpulint
