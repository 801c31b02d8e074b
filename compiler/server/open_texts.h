#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/server/position.h"

namespace gpulint::server {

/// The absolute path of a `file:` URI; empty for other URIs.
[[nodiscard]] std::string path_of_uri(std::string_view uri);
/// The `file:` URI of an absolute path.
[[nodiscard]] std::string uri_of_path(std::string_view path);

/// A document that a client has open.
struct OpenText {
  std::string uri;   ///< As the client wrote it.
  std::string path;  ///< Absolute; empty if it is not a file.
  std::string language;
  std::int64_t version = 0;
  std::string text;

  /// Templates of Helm charts are not manifests: they have no findings.
  [[nodiscard]] bool is_template() const { return language == "helm"; }
};

/// A change of a document.
struct TextChange {
  std::optional<Place> begin;  ///< nullopt: `text` replaces everything.
  Place end;
  std::string text;
};

class OpenTexts {
 public:
  void open(OpenText text);
  /// Applies changes in order. False if the document is not open.
  [[nodiscard]] bool change(const std::string& uri, std::int64_t version,
                            const std::vector<TextChange>& changes, Units units);
  void close(const std::string& uri);

  /// Null if it is not open.
  [[nodiscard]] const OpenText* find(const std::string& uri) const;
  [[nodiscard]] const OpenText* find_path(std::string_view path) const;
  [[nodiscard]] const std::map<std::string, OpenText>& all() const { return texts_; }

 private:
  std::map<std::string, OpenText> texts_;  // by URI
};

}  // namespace gpulint::server
