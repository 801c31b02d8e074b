// Python sources: every place that is told lies in the file, and what is read ends.
#include "compiler/base/check.h"
#include "frontend/python/parse.h"
#include "tests/fuzz/target.h"

namespace {

using namespace gpulint;

void check_place(const SourceFile& file, Span span) {
  GPULINT_CHECK(span.file == file.id() && span.begin <= span.end && span.end <= file.whole().end);
}

void check_places(const SourceFile& file, const python::Expression& of) {
  check_place(file, of.span);
  if (!of.keyword.text.empty()) {
    check_place(file, of.keyword.span);
    GPULINT_CHECK(file.text(of.keyword.span) == of.keyword.text);
  }
  for (const python::Expression& part : of.parts) check_places(file, part);
}

void check_places(const SourceFile& file, const std::vector<python::Statement>& statements) {
  for (const python::Statement& each : statements) {
    check_place(file, each.span);
    if (!each.name.text.empty()) GPULINT_CHECK(file.text(each.name.span) == each.name.text);
    check_places(file, each.value);
    for (const python::Expression& decorator : each.decorators) check_places(file, decorator);
    check_places(file, each.body);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SourceFile file(0, "tasks.py", fuzz::to_text(data, size));
  check_places(file, python::parse(file).statements);
  return 0;
}
