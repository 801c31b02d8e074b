#include "compiler/engine/rule.h"

#include <string_view>

namespace gpulint::rules::trailing_content {
namespace {

constexpr std::string_view behind_yaml =
    "correct the indentation, brackets or quotes above this text, or write `---` before this text; "
    "Kubernetes and Helm silently drop this text and everything after it";
constexpr std::string_view beside_json =
    "remove this text, or write `---` before it; kubectl requires `---` between objects unless the "
    "file contains only JSON";
constexpr std::string_view for_separator =
    "write `---` between all objects of the file, or between none; gpulint did not check the text "
    "after this `---`";

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::trailing) continue;
      const bool is_separator = error.message.starts_with("`---`");  // after JSON objects
      reporter.report_span(error.span, {}, "{}", error.message)
          .help("{}", is_separator        ? for_separator
                      : document->is_json ? beside_json
                                          : behind_yaml);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "reading"}, .check = check, .depends_on = DependsOn::file};

}  // namespace gpulint::rules::trailing_content
