#include <iostream>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "backends/debug_json.h"
#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/report.h"
#include "compiler/ir/kubernetes_json.h"
#include "compiler/ir/python.h"
#include "compiler/model/read_pod.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "compiler/schedule/extended_resource_toleration.h"
#include "frontend/load.h"
#include "frontend/python/parse.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// The first pod of the file: of a workload, or a bare PodSpec.
[[nodiscard]] PodSpec first_pod(const Project& project) {
  for (const Scope& scope : project.scopes) {
    if (!scope.corpus.workloads.empty()) return scope.corpus.workloads.front().pod;
    for (const Document* document : scope.corpus.documents) return read_pod_spec(root(*document));
  }
  return {};
}

using Documents = std::vector<std::unique_ptr<Document>>;

void complain(const SourceFile& file, Span where, std::string_view message) {
  const Position at = file.position(where.begin);
  std::cerr << fmt::format("{}:{}:{}: {}\n", file.path(), at.line, at.column, message);
}

[[nodiscard]] Span place_of(const KubernetesJson::Refusal& refusal, const Document& document) {
  if (refusal.node) return refusal.node.span();
  return document.errors.empty() ? document.span : document.errors.front().span;
}

/// One line of JSON a document; refusals and what a strict reader says go to standard error.
[[nodiscard]] int print_json(const SourceFile& file, const Documents& documents) {
  int status = 0;
  for (const auto& document : documents) {
    const KubernetesJson json = to_kubernetes_json(*document);
    if (json.error) {
      complain(file, place_of(*json.error, *document), json.error->message);
      status = 1;
      continue;
    }
    std::cout << escape_hidden(json.text) << '\n';
    if (json.strict_error) {
      complain(file, place_of(*json.strict_error, *document),
               "strict readers refuse this: " + json.strict_error->message);
    }
    if (json.unstable) complain(file, document->span, "two keys become one; either may win");
  }
  if (documents.empty()) std::cout << "null\n";
  return status;
}

[[nodiscard]] int print_spans(const SourceFile& file, const Documents& documents) {
  int status = 0;
  for (const auto& document : documents) {
    for (const SyntaxError& error : document->errors) {
      complain(file, error.span, error.message);
      status = 1;
    }
    write_spans(*document, std::cout);
  }
  return status;
}

/// A string's bytes in hexadecimal, a number as it is written; nothing of other values.
[[nodiscard]] std::string literal_text(const python::Expression& value) {
  if (value.is(python::Expression::Kind::number)) return " number " + value.text;
  if (!value.is(python::Expression::Kind::string)) return {};
  std::string text = " string ";
  for (const char c : value.text) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

void print_keywords(const python::Expression& of) {
  const Span at = of.keyword.span;
  if (!of.keyword.text.empty() && of.keyword.text.front() != '*') {
    std::cout << fmt::format("{} {} keyword {}{}\n", at.begin, at.end, of.keyword.text,
                             literal_text(of));
  }
  for (const python::Expression& part : of.parts) print_keywords(part);
}

/// What of a Python source tasks are read from: functions with what decorates them, and keyword
/// arguments.
void print_python(const std::vector<python::Statement>& statements) {
  for (const python::Statement& each : statements) {
    print_keywords(each.value);
    for (const python::Expression& decorator : each.decorators) print_keywords(decorator);
    if (each.kind == python::Statement::Kind::function) {
      const Span at = each.name.span;
      std::cout << fmt::format("{} {} function {} {}\n", at.begin, at.end, each.name.text,
                               each.decorators.size());
    }
    print_python(each.body);
  }
}

}  // namespace

int run_debug_admit(const Options& options) {
  const auto project = load_project(options);
  for (const std::string& error : project->errors) print_error(error);
  if (!project->errors.empty()) return 2;
  emit_tolerations_json(admit_extended_resources(first_pod(*project)).tolerations, std::cout);
  return 0;
}

int run_debug(const Options& options) {
  int status = 0;
  for (const std::string& path : options.paths) {
    auto bytes = read_file(path);
    if (!bytes.ok()) {
      std::cerr << bytes.error().message << '\n';
      return 2;
    }
    SourceSet sources;
    DecodedBytes decoded = std::move(bytes).value();
    const FileId id = sources.add(path, std::move(decoded.text), decoded.encoding);
    const SourceFile& file = sources.file(id);
    if (options.command == Command::debug_spans && python::is_source(path)) {
      print_python(python::parse(file).statements);
      continue;
    }
    const Documents documents = parse_file(file);
    if (options.paths.size() > 1) std::cout << fmt::format("==> {} <==\n", path);
    const int result = options.command == Command::debug_json ? print_json(file, documents)
                                                              : print_spans(file, documents);
    status = std::max(status, result);
  }
  return status;
}

}  // namespace gpulint
