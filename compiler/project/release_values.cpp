#include "compiler/project/release_values.h"

#include <algorithm>
#include <optional>

#include "compiler/base/parallel.h"
#include "compiler/project/path_words.h"

namespace gpulint {
namespace {

class ReleaseFinder {
 public:
  ReleaseFinder(std::span<const FileId> others, const SourceSet& sources, const ReleaseReader& read)
      : others_(others), sources_(sources), read_(read) {}

  [[nodiscard]] std::optional<FileId> find(const ReleaseSource& source, FileId named_in) const {
    std::vector<FileId> found;
    for (const FileId file : others_) {
      if (file != named_in && is_meant(source, file)) found.push_back(file);
    }
    if (found.size() > 1) {
      const std::string folder = folder_of(path_of(named_in));
      std::erase_if(found, [&](FileId file) { return folder_of(path_of(file)) != folder; });
    }
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }

 private:
  [[nodiscard]] const std::string& path_of(FileId file) const { return sources_.file(file).path(); }

  [[nodiscard]] bool is_meant(const ReleaseSource& source, FileId file) const {
    if (source.path.empty()) return read_.holds(file, source);
    const std::string& path = path_of(file);
    return path == source.path || (source.from_root && path.ends_with("/" + source.path));
  }

  std::span<const FileId> others_;
  const SourceSet& sources_;
  const ReleaseReader& read_;
};

}  // namespace

std::vector<std::vector<FileId>> find_release_values(std::span<const FileId> files,
                                                     std::span<const FileId> others,
                                                     const SourceSet& sources, unsigned jobs,
                                                     const ReleaseReader& read) {
  const ReleaseFinder finder(others, sources, read);
  return parallel_map(files.size(), jobs, [&](std::size_t i) {
    std::vector<FileId> found;
    for (const ReleaseSource& source : read.sources(files[i])) {
      if (const auto file = finder.find(source, files[i])) found.push_back(*file);
    }
    return found;
  });
}

}  // namespace gpulint
