#include "compiler/ir/aliasing.h"

#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/ir/kubernetes_json.h"
#include "frontend/stream.h"
#include "frontend/yaml_events.h"

namespace gpulint {
namespace {

/// `links` mappings, each of which stands for the one before it `times`.
[[nodiscard]] std::string chain(int links, int times, const char* form) {
  std::string text = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < links; ++i) {
    std::string aliases;
    for (int k = 0; k < times; ++k) aliases += fmt::format("{}*a{}", k == 0 ? "" : ", ", i - 1);
    text += fmt::format("a{0}: &a{0} {{{1}: [{2}]}}\n", i, form, aliases);
  }
  return text;
}

/// Whether the document is refused for its aliases, which Kubernetes' reader must do then, too.
[[nodiscard]] bool is_refused(const std::string& text) {
  Document document;
  parse_events(text, split_stream(text).front(), {}, document);
  REQUIRE(document.errors.empty());
  if (!find_excessive_alias(document)) return false;
  const KubernetesJson json = to_kubernetes_json(document);
  REQUIRE(json.error);
  CHECK(json.error->message == "document contains excessive aliasing");
  return true;
}

}  // namespace

TEST_CASE("Aliases of aliases are refused where Kubernetes refuses them") {
  for (const char* form : {"y", "<<"}) {
    CAPTURE(form);
    CHECK_FALSE(is_refused(chain(3, 9, form)));
    CHECK_FALSE(is_refused(chain(100, 1, form)));
    CHECK(is_refused(chain(12, 9, form)));
    CHECK(is_refused(chain(1000, 1, form)));
    CHECK(is_refused(chain(1000, 3, form)));
  }
}

TEST_CASE("Many aliases of small things are no matter") {
  std::string text = "base: &base {nvidia.com/gpu: 1}\nall:\n";
  for (int i = 0; i < 20'000; ++i) text += "- *base\n";
  CHECK_FALSE(is_refused(text));
}

TEST_CASE("One list that thousands repeat is too much") {
  std::string text = "all: &all\n";
  for (int i = 0; i < 3'000; ++i) text += "- a\n";
  text += "rest:\n";
  for (int i = 0; i < 3'000; ++i) text += "- *all\n";
  CHECK(is_refused(text));
}

}  // namespace gpulint
