#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/analysis/project.h"
#include "compiler/analysis/reread.h"
#include "compiler/base/diagnostic.h"
#include "compiler/engine/fixer.h"

namespace gpulint {

/// What a trial of fixes has spoilt.
struct Harm {
  std::string text;  ///< Empty where nothing was.
  /// Indexes of the fixes that stand in the documents where it was; empty where it was elsewhere.
  std::vector<std::size_t> culprits;
};

/// A document of the project: its file and its index in there. Embedded ones count as their host.
using DocumentPlace = std::pair<FileId, std::uint32_t>;

/// Paths of the files with objects that the API server refuses: nobody reads these today, so that
/// errors in them count against no fix.
[[nodiscard]] std::set<std::string> refused_files(const Project& project, const Scope& scope);

/// The documents that a plan edits, before and after.
class EditedDocuments {
 public:
  EditedDocuments(const Project& project, const FixPlan& plan);

  [[nodiscard]] const std::set<DocumentPlace>& places() const { return places_; }
  /// Where a span of the project lies; nullopt in gpulint.yaml and files of tasks.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span) const;
  /// The same of what was read again.
  [[nodiscard]] std::optional<DocumentPlace> find(Span span, const Rereading& reading) const;

  /// The fixes in `spoilt` documents; none where one of these is not edited.
  [[nodiscard]] std::vector<std::size_t> culprits(
      const std::set<std::optional<DocumentPlace>>& spoilt,
      const std::vector<Diagnostic>& fixes) const;

 private:
  const Project& project_;
  std::set<DocumentPlace> places_;
};

}  // namespace gpulint
