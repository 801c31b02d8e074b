#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"

namespace gpulint::test {

/// A text as one file, parsed; stays alive as long as the object.
class Parsed {
 public:
  explicit Parsed(std::string text) {
    const FileId file = sources_.add("test.yaml", std::move(text));
    documents_ = parse_file(sources_.file(file));
  }
  [[nodiscard]] Node root(std::size_t document = 0) const {
    return document < documents_.size() ? gpulint::root(*documents_[document]) : Node{};
  }
  [[nodiscard]] std::size_t size() const { return documents_.size(); }
  [[nodiscard]] const Document& document(std::size_t index = 0) const { return *documents_[index]; }
  [[nodiscard]] const SourceSet& sources() const { return sources_; }

 private:
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> documents_;
};

}  // namespace gpulint::test
