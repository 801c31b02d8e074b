#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/base/source_file.h"
#include "frontend/python/expression_reader.h"
#include "frontend/python/imports.h"
#include "frontend/python/parse.h"
#include "frontend/python/token.h"

namespace gpulint::python::test {
namespace {

[[nodiscard]] std::string tell(const Expression& of);

[[nodiscard]] std::string tell_all(const std::vector<Expression>& parts, std::size_t from = 0) {
  std::string text;
  for (std::size_t i = from; i < parts.size(); ++i) {
    if (i > from) text += ", ";
    if (!parts[i].keyword.text.empty()) text += parts[i].keyword.text + "=";
    text += tell(parts[i]);
  }
  return text;
}

[[nodiscard]] std::string tell(const Expression& of) {
  using Kind = Expression::Kind;
  switch (of.kind) {
    case Kind::opaque:
      return "?(" + tell_all(of.parts) + ")";
    case Kind::attribute:
      return tell(of.parts[0]) + "." + of.text;
    case Kind::subscript:
      return tell(of.parts[0]) + "[" + tell(of.parts[1]) + "]";
    case Kind::call:
      return tell(of.parts[0]) + "(" + tell_all(of.parts, 1) + ")";
    case Kind::string:
      return "'" + of.text + "'";
    case Kind::none:
      return "None";
    case Kind::tuple:
      return "(" + tell_all(of.parts) + ")";
    case Kind::list:
      return "[" + tell_all(of.parts) + "]";
    case Kind::dict:
      return "{" + tell_all(of.parts) + "}";
    case Kind::joined:
      return "join(" + tell_all(of.parts) + ")";
    case Kind::product:
      return "product(" + tell_all(of.parts) + ")";
    case Kind::choice:
      return "choice(" + tell_all(of.parts) + ")";
    case Kind::name:
    case Kind::number:
    case Kind::boolean:
      return of.text;
  }
  return {};
}

[[nodiscard]] std::string tell(const std::vector<Statement>& statements, std::string_view indent) {
  using Kind = Statement::Kind;
  std::string text;
  for (const Statement& each : statements) {
    text += indent;
    if (each.conditional) text += "maybe ";
    const std::string dots(each.dots, '.');
    if (each.kind == Kind::import)
      text += fmt::format("import {} as {}", each.module, each.name.text);
    if (each.kind == Kind::from) {
      text +=
          fmt::format("from {}{} import {} as {}", dots, each.module, each.member, each.name.text);
    }
    if (each.kind == Kind::assignment) text += each.name.text + " = " + tell(each.value);
    if (each.kind == Kind::expression) text += tell(each.value);
    if (each.kind == Kind::change) {
      text += each.member.empty() ? each.name.text + " = ?()"
                                  : each.name.text + "." + each.member + " = " + tell(each.value);
    }
    if (each.kind == Kind::result) text += "return " + tell(each.value);
    for (const Expression& decorator : each.decorators) text += "@" + tell(decorator) + " ";
    if (each.kind == Kind::function) {
      std::vector<std::string> names;
      for (const Parameter& parameter : each.parameters) {
        names.push_back(parameter.stars + parameter.name);
        if (!parameter.value.empty()) names.back() += "=" + tell(parameter.value.front());
      }
      text += fmt::format("def {}({})", each.name.text, fmt::join(names, ", "));
    }
    if (each.kind == Kind::type)
      text += "class " + each.name.text + "(" + tell_all(each.bases) + ")";
    text += "\n" + tell(each.body, std::string(indent) + "  ");
  }
  return text;
}

[[nodiscard]] std::string read(std::string text) {
  const SourceFile file(0, "tasks.py", std::move(text));
  return tell(parse(file).statements, "");
}

/// The value of `x = …`.
[[nodiscard]] std::string read_value(const std::string& value) {
  return read("x = " + value + "\n");
}

TEST_CASE("Python: imports name what they bring") {
  CHECK(read("import flytekit as fk, os.path\n") == "import flytekit as fk\nimport os as os\n");
  CHECK(read("import a.b as c\n") == "import a.b as c\n");
  CHECK(
      read("from flytekit.extras.accelerators import (\n  A100,  # the big one\n  T4 as t,\n)\n") ==
      "from flytekit.extras.accelerators import A100 as A100\n"
      "from flytekit.extras.accelerators import T4 as t\n");
  CHECK(read("from ..gpu import BIG\nfrom . import gpu\nfrom x import *\n") ==
        "from ..gpu import BIG as BIG\nfrom . import gpu as gpu\nfrom x import * as *\n");
}

TEST_CASE("Python: a decorated function has its decorators, parameters and body") {
  CHECK(read("@task(requests=Resources(gpu=\"1\"), accelerator=A100.partition_2g_10gb)\n"
             "async def train(x: int = f(1), *args, **rest) -> int:\n"
             "    '''what it does'''\n"
             "    return step(x=x).with_overrides(limits=big)\n"
             "y = 1\n") ==
        "@task(requests=Resources(gpu='1'), accelerator=A100.partition_2g_10gb) "
        "def train(x=f(1), *args, **rest)\n"
        "  return step(x=x).with_overrides(limits=big)\n"
        "y = 1\n");
  CHECK(read("@a\n# why\n\n@b.c\ndef f(): return g(1)\n") == "@a @b.c def f()\n  return g(1)\n");
}

TEST_CASE("Python: classes have bases and what they assign") {
  CHECK(read("class H100(Multi, metaclass=M):\n  device: str = 'nvidia-h100'\n  def f(self): "
             "pass\n") == "class H100(Multi, M)\n  device = 'nvidia-h100'\n  def f(self)\n");
}

TEST_CASE("Python: what stands below a condition may not happen") {
  CHECK(read("if big:\n  n = 8\nelif f(x): n = 4\nelse:\n  n = 1\nm = 2\n") ==
        "maybe n = 8\nf(x)\nmaybe n = 4\nmaybe n = 1\nm = 2\n");
  CHECK(read("for i, j in g(1):\n  n = i\nwith open('f') as f, h(2):\n  k = 1\n") ==
        "i = ?()\nj = ?()\ng(1)\nmaybe n = i\nf = ?()\nopen('f')\nh(2)\nmaybe k = 1\n");
  CHECK(read("try:\n  import a\nexcept E as e:\n  a = None\nfinally: b = 1\n") ==
        "maybe import a as a\ne = ?()\nmaybe a = None\nmaybe b = 1\n");
}

TEST_CASE("Python: assignments") {
  CHECK(read("a = b = 1; c: int = 2; d: str\n") == "a = 1\nb = 1\nc = 2\n");
  CHECK(read("a, b = 1, 2\n(c, d) = f()\n") == "a = 1\nb = 2\nf()\nc = ?()\nd = ?()\n");
  CHECK(read("n += 1\nenv.x = 1\nd['k'] = 2\ndel n\n") == "n = ?()\nenv.x = 1\nd = ?()\nn = ?()\n");
  CHECK(read("n = 1\ndef f():\n  global n\n  n = 2\n") ==
        "n = 1\ndef f()\n  n = 2\nmaybe n = ?()\n");
}

TEST_CASE("Python: literals") {
  CHECK(read_value("-1_000") == "x = -1000\n");
  CHECK(read_value("[1, 'a', None, True, (), (1,), (2)]") ==
        "x = [1, 'a', None, True, (), (1), 2]\n");
  CHECK(read_value("{'a': 1, **b, \"c\": {}}") == "x = {'a', 1, ?(), b, 'c', {}}\n");
  CHECK(read_value("'a' \"b\" '''c'''") == "x = 'abc'\n");
  CHECK(read_value(R"(r'\d' 'A\x42\103\u0044\n\'\q')") == "x = '\\dABCD\n'\\q'\n");
  CHECK(read_value("b'1'") == "x = join(?())\n");
}

TEST_CASE("Python: f-strings are taken apart where braces hold an expression") {
  CHECK(read_value("f'H200:{N}'") == "x = join('H200:', N, '')\n");
  CHECK(read_value("f'{{a}}'") == "x = '{a}'\n");
  CHECK(read_value("f'{a!r}{b:>3}'") == "x = join('', ?(a, ?(), r), '', ?(), '')\n");
  CHECK(read_value("f\"{d[\"k\"]}\"") == "x = join('', d['k'], '')\n");
  CHECK(read_value("f'{' + 'b'") == "x = join(join('', ?()), 'b')\n");
}

TEST_CASE("Python: what is computed is opaque, and keeps the calls within") {
  CHECK(read_value("a if f(b) else c") == "x = choice(a, f(b), c)\n");
  CHECK(read_value("a if b else c if d else e") == "x = choice(a, b, c, d, e)\n");
  CHECK(read_value("f(g=1 if a and b else 2, h=3)") == "x = f(g=choice(1, ?(a, b), 2), h=3)\n");
  CHECK(read_value("[a if b else c for d in e]") == "x = [?(a, b, ?(c, d, e))]\n");
  CHECK(read_value("[a for b in c if d if e]") == "x = [?(?(a, b, c), d, e)]\n");
  CHECK(read_value("a if b") == "x = ?(a, b)\n");
  CHECK(read_value("a * 2 * b") == "x = product(a, 2, b)\n");
  CHECK(read_value("a * 2 + b") == "x = ?(a, 2, b)\n");
  CHECK(read_value("a + 'b'") == "x = join(a, 'b')\n");
  CHECK(read_value("a + b * c") == "x = ?(a, b, c)\n");
  CHECK(read_value("not a is not b in c") == "x = ?(?(a), b, c)\n");
  CHECK(read_value("lambda a, b=1: f(a)") == "x = ?(f(a))\n");
  CHECK(read_value("[f(a) for a in b if c]") == "x = [?(?(f(a), a, b), c)]\n");
  CHECK(read_value("a[1:f(2)].b") == "x = ?(a, 1, f(2)).b\n");
  CHECK(read_value("await f(*a, **b)") == "x = ?(f(*=a, **=b))\n");
}

TEST_CASE("Python: lines join within brackets and behind a backslash") {
  CHECK(read("x = f(\n    1,\n# no\n  2)\ny = 1 + \\\r\n  2\r\n") ==
        "x = f(1, 2)\ny = join(1, 2)\n");
}

TEST_CASE("Python: a bracket that does not close ends where a declaration begins") {
  CHECK(read("x = f(1,\ndef g():\n  y = 2\nz = 3\n") == "x = f(1)\ndef g()\n  y = 2\nz = 3\n");
}

TEST_CASE("Python: tabs, form feeds and a byte order mark are blanks") {
  CHECK(read("\xEF\xBB\xBFif a:\n\tx = 1\n        y = 2\n\fz = 3\n") ==
        "maybe x = 1\nmaybe y = 2\nz = 3\n");
}

TEST_CASE("Python: places are those of the bytes") {
  const std::string text = "@task(a=('1'), b=f.g)  # why\ndef t():\n  pass\n\nx = 1\n";
  const SourceFile file(7, "tasks.py", text);
  const Module module = parse(file);
  REQUIRE(module.statements.size() == 2);
  const Statement& task = module.statements[0];
  CHECK(file.text(task.header) == "@task(a=('1'), b=f.g)  # why\ndef t():");
  CHECK(file.text(task.span) == "@task(a=('1'), b=f.g)  # why\ndef t():\n  pass");
  CHECK(file.text(task.name.span) == "t");
  REQUIRE(task.decorators.size() == 1);
  const Expression& call = task.decorators[0];
  CHECK(file.text(call.span) == "task(a=('1'), b=f.g)");
  REQUIRE(call.parts.size() == 3);
  CHECK(file.text(call.parts[1].span) == "'1'");
  CHECK(file.text(call.parts[1].keyword.span) == "a");
  CHECK(file.text(call.parts[2].word) == "g");
  CHECK(file.text(call.parts[2].span) == "f.g");
  REQUIRE(module.comments.size() == 1);
  CHECK(file.text(module.comments[0]) == "# why");
  CHECK(module.comments[0].file == 7);
}

TEST_CASE("Python: whatever nests deeper than it is read ends") {
  for (const std::string_view open :
       {"(", "[", "{", "f(", "-", "not ", "lambda: ", "f'{", "a.b("}) {
    std::string text = "x = ";
    for (int i = 0; i < 5000; ++i) text += open;
    CHECK_FALSE(read(text + "1\ny = 2\n").empty());
  }
  std::string blocks;
  for (int i = 0; i < 300; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
  CHECK(read(blocks + "y = 1\n") == "y = 1\n");
  std::string chain = "x = a";
  for (int i = 0; i < 100'000; ++i) chain += ".b()";
  CHECK_FALSE(read(chain + "\n").empty());
}

TEST_CASE("Python: text that is no Python is passed over") {
  for (const std::string_view text :
       {"",        "\n",    "\"",     "'''",   "f'''{",    "(",        ")",     "]:",
        "@",       "@\n",   "def",    "def (", "class X(", "x =",      "from",  "from . import",
        "import",  "if",    "for",    "x: ",   "\\",       "\\\n",     "0x",    "1.e+",
        "{**",     "f(*,",  "lambda", "a.",    ":=",       "\xFF\xFE", "match", "as as as",
        "with as", "async", "del",    "global"}) {
    CAPTURE(text);
    const std::string after = read(std::string(text) + "\n\ndef found(): pass\n");
    const bool is_open = text == "'''" || text == "f'''{";
    CHECK((is_open || after.find("def found()") != std::string::npos || text == "@" ||
           text == "@\n"));
  }
}

TEST_CASE("Python: only sources that import an SDK may declare tasks") {
  for (const std::string_view text :
       {"import flytekit\n", "from flytekit import task", "import os, flyte\r\n",
        "x = 1; import union\n", "if a:\n    from union.actor import ActorEnvironment\n",
        "\xEF\xBB\xBFimport flyte\n", "a = 'flyte'\nfrom flyte import Resources\n",
        "old = 1\rimport flyte\r"}) {
    CAPTURE(text);
    CHECK(may_declare_tasks(text));
  }
  for (const std::string_view text :
       {"", "flyte", "# we import flyte's settings\n", "def union(a, b): return a | b\n",
        "important = flyte\n# from\n", "from a import b\nx = flyte\n", "import os\n"}) {
    CAPTURE(text);
    CHECK_FALSE(may_declare_tasks(text));
  }
}

}  // namespace
}  // namespace gpulint::python::test
