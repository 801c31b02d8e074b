#include "compiler/server/folder_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace gpulint::server {
namespace {

namespace fs = std::filesystem;

/// Whether the file or a folder above it, up to `top`, is excluded.
[[nodiscard]] bool is_excluded_below(const fs::path& top, const fs::path& path,
                                     const IsExcluded& is_excluded) {
  for (fs::path at = path; at != top && at.has_relative_path(); at = at.parent_path()) {
    if (is_excluded(at.string())) return true;
  }
  return false;
}

[[nodiscard]] Overlay texts_missing_on(const FileSystem& files, const Overlay& texts) {
  Overlay missing;
  for (const auto& [path, text] : texts) {
    if (path != "-" && !files.status(path).exists()) missing.emplace(path, text);
  }
  return missing;
}

}  // namespace

FolderFiles::FolderFiles(std::string folder, Overlay texts, const FileSystem& behind)
    : folder_(std::move(folder)),
      texts_(std::move(texts)),
      new_texts_(texts_missing_on(behind, texts_)),
      behind_(behind) {}

void FolderFiles::set(const std::string& path, std::optional<DecodedBytes> text) {
  if (!text) {
    texts_.erase(path);
  } else {
    if (new_texts_.status(path).exists()) new_texts_.set(path, *text);
    texts_.insert_or_assign(path, std::move(*text));
  }
}

std::string FolderFiles::whole(const std::string& path) const {
  if (path == "-") return path;
  std::string result = (fs::path(folder_) / path).lexically_normal().string();
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

FileStatus FolderFiles::status(const std::string& path) const {
  const std::string at = whole(path);
  const FileStatus there = behind_.status(at);
  if (there.exists()) return there;
  FileStatus result = new_texts_.status(at);
  --result.identity.device;  // `behind_` may be in memory, too
  return result;
}

std::string FolderFiles::link_target(const std::string& path) const {
  return behind_.link_target(whole(path));
}

Result<DecodedBytes> FolderFiles::read(const std::string& path) const {
  const std::string at = whole(path);
  const auto text = texts_.find(at);
  return text == texts_.end() ? behind_.read(at) : text->second;
}

FoundFiles FolderFiles::find(const std::string& folder, const IsExcluded& is_excluded) const {
  const std::string top = whole(folder);
  const auto shown = [&](std::string_view path) {
    const std::string relative = fs::path(path).lexically_relative(top).string();
    return folder == "." ? relative : (fs::path(folder) / relative).string();
  };
  const IsExcluded excluded = [&](std::string_view path) { return is_excluded(shown(path)); };
  FoundFiles found = behind_.find(top, excluded);
  const FoundFiles more = new_texts_.find(
      top, [&](std::string_view path) { return is_excluded_below(top, fs::path(path), excluded); });
  found.paths.insert(found.paths.end(), more.paths.begin(), more.paths.end());
  for (std::string& path : found.paths) path = shown(path);
  std::ranges::sort(found.paths);
  return found;
}

std::optional<std::vector<std::string>> FolderFiles::tree(const std::string& folder,
                                                          std::size_t most) const {
  auto entries = behind_.tree(whole(folder), most);
  const auto more = new_texts_.tree(whole(folder), most);
  if (!entries || !more || entries->size() + more->size() > most) return std::nullopt;
  entries->insert(entries->end(), more->begin(), more->end());
  std::ranges::sort(*entries);
  const auto again = std::ranges::unique(*entries);
  entries->erase(again.begin(), again.end());
  return entries;
}

std::optional<Error> FolderFiles::replace(const std::string& path, std::string_view /*expected*/,
                                          std::string_view /*text*/) {
  return Error{path + ": the server writes no files"};
}

}  // namespace gpulint::server
