#include "frontend/git_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_index_bytes = 256U << 20U;
/// Version 4 leaves out how a name begins; names that are so long together are nobody's.
constexpr std::size_t max_expansion = 8;
constexpr std::size_t sha1_bytes = 20;
constexpr std::size_t sha256_bytes = 32;
constexpr std::size_t header_bytes = 12;
constexpr std::size_t mode_offset = 24;
constexpr std::size_t hash_offset = 40;
constexpr std::uint32_t folder_mode = 0040000;
constexpr std::uint32_t has_more_flags = 0x4000;

struct Listed {
  std::vector<std::string> paths;
  std::vector<std::string> folders;
  std::string shared;  // raw hash
};

/// Reads forward; what lies beyond the end makes the whole index one that cannot be read.
class Reader {
 public:
  Reader(std::string_view bytes, std::size_t hash_bytes) : bytes_(bytes), hash_bytes_(hash_bytes) {}

  [[nodiscard]] std::optional<Listed> read() {
    if (bytes_.size() < header_bytes + hash_bytes_ || !bytes_.starts_with("DIRC")) return {};
    bytes_.remove_suffix(hash_bytes_);
    const std::uint32_t version = number(4);
    const std::uint32_t count = number(8);
    if (version < 2 || version > 4) return {};
    at_ = header_bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!read_entry(version)) return {};
    }
    if (!read_extensions()) return {};
    return std::move(listed_);
  }

 private:
  [[nodiscard]] std::uint32_t number(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value << 8U | static_cast<unsigned char>(bytes_[i]);
    }
    return value;
  }

  [[nodiscard]] bool read_entry(std::uint32_t version) {
    const std::size_t begin = at_;
    const std::size_t flags_at = begin + hash_offset + hash_bytes_;
    if (bytes_.size() < flags_at + 2) return false;
    const std::uint32_t flags = static_cast<unsigned char>(bytes_[flags_at]) << 8U;
    at_ = flags_at + 2 + (version >= 3 && (flags & has_more_flags) != 0 ? 2 : 0);
    if (version == 4 && !shorten_name()) return false;
    if (version != 4) name_.clear();
    const std::size_t end = at_ < bytes_.size() ? bytes_.find('\0', at_) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    name_.append(bytes_.substr(at_, end - at_));
    // Before version 4 entries are padded with one to eight NULs.
    at_ = version == 4 ? end + 1 : begin + (end - begin + 8) / 8 * 8;
    list(number(begin + mode_offset));
    return at_ <= bytes_.size() && listed_bytes_ <= max_expansion * bytes_.size();
  }

  /// Version 4 says how much of the end of the name before is replaced.
  [[nodiscard]] bool shorten_name() {
    std::size_t dropped = 0;
    for (bool is_first = true;; is_first = false) {
      if (at_ >= bytes_.size() || dropped > bytes_.size()) return false;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      dropped = ((is_first ? 0 : dropped + 1) << 7U) + (byte & 0x7FU);
      if ((byte & 0x80U) == 0) break;
    }
    if (dropped > name_.size()) return false;
    name_.resize(name_.size() - dropped);
    return true;
  }

  void list(std::uint32_t mode) {
    std::string name = name_;
    if (name.ends_with('/')) name.pop_back();
    if (name.empty()) return;
    listed_bytes_ += name.size();
    (mode == folder_mode ? listed_.folders : listed_.paths).push_back(std::move(name));
  }

  [[nodiscard]] bool read_extensions() {
    while (at_ + 8 <= bytes_.size()) {
      const std::size_t size = number(at_ + 4);
      if (size > bytes_.size() - at_ - 8) return false;
      if (bytes_.substr(at_, 4) == "link" && size >= hash_bytes_) {
        listed_.shared = bytes_.substr(at_ + 8, hash_bytes_);
      }
      at_ += 8 + size;
    }
    return at_ == bytes_.size();
  }

  std::string_view bytes_;
  std::size_t hash_bytes_;
  std::size_t at_ = 0;
  std::string name_;
  std::size_t listed_bytes_ = 0;
  Listed listed_;
};

[[nodiscard]] std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

[[nodiscard]] std::string read_bytes(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  if (fs::file_size(path, error) > max_index_bytes || error) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void sort_once(std::vector<std::string>& names) {
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
}

}  // namespace

GitIndex GitIndex::parse(std::string_view bytes) {
  GitIndex index;
  std::optional<Listed> listed = Reader(bytes, sha1_bytes).read();
  if (!listed) listed = Reader(bytes, sha256_bytes).read();
  if (!listed) return index;
  index.paths_ = std::move(listed->paths);
  index.folders_ = std::move(listed->folders);
  index.shared_ = hexadecimal(listed->shared);
  sort_once(index.paths_);
  return index;
}

GitIndex GitIndex::read(const fs::path& git_folder) {
  GitIndex index = parse(read_bytes(git_folder / "index"));
  // What the split part deletes of the shared one stays listed: a file too many is read, none lost.
  if (!index.shared_.empty()) {
    index.add(parse(read_bytes(git_folder / fmt::format("sharedindex.{}", index.shared_))));
  }
  return index;
}

void GitIndex::add(GitIndex other) {
  std::ranges::move(other.paths_, std::back_inserter(paths_));
  std::ranges::move(other.folders_, std::back_inserter(folders_));
  sort_once(paths_);
}

bool GitIndex::tracks(std::string_view path) const {
  return std::ranges::binary_search(paths_, path) ||
         std::ranges::any_of(folders_, [&](std::string_view folder) {
           return path.size() > folder.size() && path.starts_with(folder) &&
                  path[folder.size()] == '/';
         });
}

bool GitIndex::tracks_below(std::string_view folder) const {
  const std::string below = std::string(folder) + "/";
  const auto first = std::ranges::lower_bound(paths_, below);
  if (first != paths_.end() && first->starts_with(below)) return true;
  return std::ranges::any_of(folders_, [&](const std::string& each) {
    return each == folder || each.starts_with(below) || below.starts_with(each + "/");
  });
}

}  // namespace gpulint
