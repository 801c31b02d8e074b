#include "backends/alike.h"

#include <catch2/catch.hpp>

#include "tests/unit/backends/example_run.h"

using gpulint::name_in;
using gpulint::RuleInfo;
using gpulint::Span;
using gpulint::without_names;
using gpulint::test::Example;

namespace {

constexpr RuleInfo taint{.id = "a-taint", .category = "c", .summary = "s"};

/// A finding of `taint` on each of so many lines of one file.
Example example_of(const std::vector<std::string>& messages) {
  Example example;
  const gpulint::FileId file = example.add("pods.yaml", std::string(messages.size(), '\n'));
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    example.report(taint, Span{file, i, i}, messages[i]);
  }
  return example;
}

}  // namespace

TEST_CASE("names of workloads are left out of a message, and nothing else") {
  CHECK(without_names("no node has 16 `nvidia.com/gpu` for Pod `a`; the largest has 8") ==
        "no node has 16 `nvidia.com/gpu` for Pod ``; the largest has 8");
  CHECK(without_names("container `main` of RayCluster `b`") == "container `` of RayCluster ``");
  CHECK(without_names("GPU node `n` has `a` and `b`") == "GPU node `n` has `a` and `b`");
  CHECK(without_names("an open ` of Pod `") == "an open ` of Pod `");
  CHECK(name_in("taint `t` keeps Pod `a` off node `n`") == "a");
  CHECK(name_in("label `x`").empty());
}

TEST_CASE("text tells what three workloads share once, with every place and name") {
  Example example = example_of({"taint `t` keeps Pod `a` off", "taint `u` keeps Pod `b` off",
                                "taint `t` keeps Pod `c` off", "taint `t` keeps Pod `d` off"});
  CHECK(gpulint::test::emit("text", example.run()) ==
        "error[a-taint]: taint `t` keeps Pod `a` off\n"
        " --> pods.yaml:1:1\n"
        "  |\n"
        "1 |\n"
        "  | ^\n"
        "  |\n"
        "  = also: 2 findings like this one\n"
        "   ::: pods.yaml:3:1 (c)\n"
        "   ::: pods.yaml:4:1 (d)\n\n"
        "error[a-taint]: taint `u` keeps Pod `b` off\n"
        " --> pods.yaml:2:1\n"
        "  |\n"
        "2 |\n"
        "  | ^\n\n"
        "Found 4 errors in 1 file\n");
}

TEST_CASE("two that are alike, and those whose fix or help differs, are told one by one") {
  Example pair = example_of({"for Pod `a`", "for Pod `b`"});
  CHECK(gpulint::test::emit("text", pair.run()).find("also") == std::string::npos);
  Example other = example_of({"for Pod `a`", "for Pod `b`", "for Pod `c`"});
  other.diagnostics[1].help = "add a toleration";
  CHECK(gpulint::test::emit("text", other.run()).find("also") == std::string::npos);
  Example fixed = example_of({"for Pod `a`", "for Pod `b`", "for Pod `c`"});
  fixed.diagnostics[2].fix = gpulint::Fix{gpulint::Safety::safe, "remove it", {}};
  CHECK(gpulint::test::emit("text", fixed.run()).find("also") == std::string::npos);
}

TEST_CASE("of very many alike the first places are named and the rest counted") {
  Example example = example_of(std::vector<std::string>(31, "for Pod `a`"));
  const std::string text = gpulint::test::emit("text", example.run());
  CHECK(text.find("= also: 30 findings like this one") != std::string::npos);
  CHECK(text.find("pods.yaml:21:1\n") != std::string::npos);
  CHECK(text.find("pods.yaml:22:1\n") == std::string::npos);
  CHECK(text.find("= note: 10 more places not shown; --format concise lists them all") !=
        std::string::npos);
}
