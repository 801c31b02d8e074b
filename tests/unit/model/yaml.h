#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/yaml_parser.h"

namespace gpulint::test {

/// YAML text with its documents; keep it alive as long as its nodes.
class Yaml {
 public:
  explicit Yaml(std::string text)
      : file_(std::make_unique<SourceFile>(0, "test.yaml", std::move(text))),
        documents_(parse_file(*file_)) {}

  /// Root of the first document; nothing where there is none.
  [[nodiscard]] Node root() const {
    return documents_.empty() ? Node{} : gpulint::root(*documents_.front());
  }
  [[nodiscard]] bool is_broken() const {
    return !documents_.empty() && !documents_.front()->errors.empty();
  }
  [[nodiscard]] std::string_view text(Node node) const { return file_->text(node.span()); }

 private:
  std::unique_ptr<SourceFile> file_;
  std::vector<std::unique_ptr<Document>> documents_;
};

}  // namespace gpulint::test
