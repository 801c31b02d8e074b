#pragma once

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/edit/fixer.h"
#include "frontend/yaml_parser.h"

namespace gpulint::test {

/// One readable YAML document, and what it looks like after edits.
class YamlText {
 public:
  explicit YamlText(std::string yaml) {
    sources_.add("test.yaml", std::move(yaml));
    documents_ = parse_file(sources_.file(0));
    REQUIRE(documents_.size() == 1);
    REQUIRE(documents_[0]->errors.empty());
  }

  [[nodiscard]] Node root() const { return gpulint::root(*documents_[0]); }
  [[nodiscard]] const SourceSet& sources() const { return sources_; }
  [[nodiscard]] std::string_view text(Span span) const { return sources_.file(0).text(span); }
  [[nodiscard]] std::string after(const std::vector<Edit>& edits) const {
    return edits.empty() ? "no edit" : apply_edits(sources_.file(0).text(), edits);
  }

 private:
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> documents_;
};

}  // namespace gpulint::test
