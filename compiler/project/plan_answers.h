#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "compiler/project/scopes.h"

namespace gpulint {

/// What plan_scopes() asked about files, with the answers: the plan is the same as long as they
/// are.
class PlanAnswers {
 public:
  /// Asks `read`, and keeps the answers. Both must outlive the result.
  [[nodiscard]] ContentReader keeping(const ContentReader& read);
  /// Whether all answers about a file are the same now, except for texts whose names no other file
  /// has: only equal names are compared by text.
  [[nodiscard]] bool still_hold(const ContentReader& read, FileId file) const;

 private:
  struct OfFile {
    std::optional<FileContent> content;
    std::optional<FlyteChart> values;
    std::optional<Needs> needs;
    std::optional<std::vector<ReleaseSource>> sources;
  };
  template <class Answer>
  [[nodiscard]] auto keep(std::optional<Answer> OfFile::* member,
                          const std::function<Answer(FileId)>& read) {
    return [this, member, &read](FileId file) {
      Answer answer = read(file);
      const std::lock_guard lock(mutex_);
      files_[file].*member = answer;
      return answer;
    };
  }

  [[nodiscard]] bool is_alike(FileContent before, FileContent now) const;

  std::mutex mutex_;
  std::map<FileId, OfFile> files_;
  std::map<ReleaseSource, std::set<FileId>> holders_;  // of each object that was looked for
};

}  // namespace gpulint
