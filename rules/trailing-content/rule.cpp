#include "compiler/engine/rule.h"

#include <string_view>

namespace gpulint::rules::trailing_content {
namespace {

constexpr std::string_view behind_yaml =
    "correct the indentation, brackets or quotes above this line, or write `---` before this line. "
    "Otherwise Kubernetes and Helm silently drop this text and all text after it";
constexpr std::string_view beside_json =
    "remove this text, or write `---` before this text if it is another object. Otherwise kubectl "
    "cannot separate the objects";
constexpr std::string_view for_separator =
    "write `---` between all objects of the file, or remove every `---`. Otherwise gpulint does "
    "not check the text after this `---`";

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
