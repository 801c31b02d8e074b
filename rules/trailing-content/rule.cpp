#include "compiler/engine/rule.h"

#include <string_view>

namespace gpulint::rules::trailing_content {
namespace {

constexpr std::string_view behind_yaml =
    "indent it like the lines above, or start a new document with `---` before it; Kubernetes and "
    "Helm silently drop it and everything after it";
constexpr std::string_view beside_json =
    "remove this text, or begin a new document with `---`; behind JSON objects kubectl accepts "
    "only further JSON objects, and gpulint did not check this text";

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.written) {
    for (const SyntaxError& error : document->errors) {
      if (error.kind != SyntaxError::Kind::trailing) continue;
      const bool is_separator = error.message.starts_with("`---`");  // after JSON objects
      reporter.report_span(error.span, {}, "{}", error.message)
          .help("{}", document->is_json || is_separator ? beside_json : behind_yaml);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "reading"}, .check = check, .depends_on = DependsOn::file};

}  // namespace gpulint::rules::trailing_content
