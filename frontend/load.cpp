#include "frontend/load.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/git_ignore.h"
#include "frontend/limits.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// An open file that closes itself; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDIN_FILENO) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

[[nodiscard]] Error system_error(const std::string& path, int code) {
  return {fmt::format("{}: {}", path, std::system_category().message(code))};
}

/// `<(command)` and standard input: pipes that are open already.
[[nodiscard]] bool is_own_pipe(std::string_view path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

[[nodiscard]] std::optional<std::string> refusal(const struct stat& status, std::string_view path) {
  if (S_ISREG(status.st_mode) || is_own_pipe(path)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return "is a folder";
  if (S_ISFIFO(status.st_mode)) return "is a pipe, not a file";
  return "is no regular file";
}

/// Has the kernel put huge pages below a large buffer, which spares thousands of page faults. It
/// may refuse.
void ask_for_huge_pages(std::string& bytes) {
  constexpr std::uintptr_t huge_page = 2U << 20U;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + bytes.capacity()) / huge_page * huge_page;
  if (first < last) madvise(bytes.data() + (first - begin), last - first, MADV_HUGEPAGE);
}

/// `expected`: bytes in a regular file, after which none is asked for; 0: unknown.
[[nodiscard]] Result<DecodedBytes> read_all(int descriptor, const std::string& path,
                                            std::size_t expected) {
  std::string bytes;
  bytes.reserve(expected);
  ask_for_huge_pages(bytes);
  std::array<char, 1U << 16U> buffer;  // NOLINT(*-member-init): zeros cost more than a small file
  while (expected == 0 || bytes.size() < expected) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, errno);
    if (count == 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
    if (bytes.size() > limits::file_bytes) {
      return Error{fmt::format("{}: larger than 1 GiB", path)};
    }
  }
  return decode_bytes(std::move(bytes));
}

[[nodiscard]] std::string read_text(const fs::path& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? std::move(bytes).value().text : std::string{};
}

/// Of the name without its folder; `.yaml` alone is a hidden file's name.
[[nodiscard]] bool has_read_extension(std::string_view name) {
  constexpr std::string_view extensions[] = {".yaml", ".yml", ".json"};
  return std::ranges::any_of(extensions, [&](std::string_view extension) {
    return name.size() > extension.size() && name.ends_with(extension);
  });
}

/// Walks one folder, with the `.gitignore` files from the repository's root down to each folder.
class Walk {
 public:
  explicit Walk(const IsExcluded& is_excluded) : is_excluded_(is_excluded) {}

  [[nodiscard]] FoundFiles run(const fs::path& folder) {
    enter_repository(folder);
    add_folder(folder, to_repository_);
    std::ranges::sort(found_.paths);
    return std::move(found_);
  }

 private:
  /// Finds the repository around `folder` and reads what is above the folder itself.
  void enter_repository(const fs::path& folder) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(folder, error);
    fs::path root = absolute;
    while (!fs::exists(root / ".git", error)) {
      if (root == root.parent_path()) return;
      root = root.parent_path();
    }
    is_in_repository_ = true;
    git_ignore_.add("", read_text(root / ".git" / "info" / "exclude"));
    fs::path above = root;
    for (const fs::path& part : absolute.lexically_relative(root)) {
      if (part == ".") break;
      git_ignore_.add(to_repository_, read_text(above / ".gitignore"));
      above /= part;
      to_repository_ += part.string() + "/";
    }
  }

  [[nodiscard]] bool is_left_out(const std::string& path, const std::string& in_repository,
                                 GitIgnore::Entry entry) const {
    return (is_excluded_ && is_excluded_(path)) ||
           (is_in_repository_ && git_ignore_.ignores(in_repository, entry));
  }

  // Recursion is bounded by the length that the system allows for a path.
  void add_folder(const fs::path& folder, const std::string& in_repository) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) {
      found_.errors.push_back(system_error(folder, error.value()));
      return;
    }
    const std::size_t rules = git_ignore_.size();
    if (is_in_repository_) git_ignore_.add(in_repository, read_text(folder / ".gitignore"));
    for (const auto end = fs::directory_iterator(); entries != end; entries.increment(error)) {
      if (error) break;
      add_entry(*entries, folder, in_repository);
    }
    git_ignore_.restore(rules);
  }

  void add_entry(const fs::directory_entry& entry, const fs::path& folder,
                 const std::string& in_repository) {
    std::error_code error;
    const std::string& full = entry.path().native();
    const std::string name = full.substr(full.rfind('/') + 1);
    const std::string& path = folder == "." ? name : full;
    if (!entry.is_symlink(error) && entry.is_directory(error)) {
      if (name == ".git" || is_left_out(path, in_repository + name, GitIgnore::Entry::folder)) {
        return;
      }
      return add_folder(path, in_repository + name + "/");
    }
    if (!has_read_extension(name) || !entry.is_regular_file(error)) return;
    if (is_left_out(path, in_repository + name, GitIgnore::Entry::file)) return;
    found_.paths.push_back(path);
  }

  const IsExcluded& is_excluded_;
  FoundFiles found_;
  GitIgnore git_ignore_;
  bool is_in_repository_ = false;
  std::string to_repository_;  // the folder's path in the repository, ending in `/` unless empty
};

}  // namespace

Result<DecodedBytes> read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", 0);
  // Without O_NONBLOCK a pipe that nobody writes to would never open.
  const int blocking = is_own_pipe(path) ? 0 : O_NONBLOCK;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | blocking));
  if (!file.is_open()) return system_error(path, errno);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) return system_error(path, errno);
  if (const auto why = refusal(status, path)) return Error{fmt::format("{}: {}", path, *why)};
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (size > limits::file_bytes) return Error{fmt::format("{}: larger than 1 GiB", path)};
  return read_all(file.number(), path, static_cast<std::size_t>(size));
}

FoundFiles find_files(const std::string& folder, const IsExcluded& is_excluded) {
  return Walk(is_excluded).run(folder);
}

}  // namespace gpulint
