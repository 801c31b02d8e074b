#include "compiler/driver/commands.h"

#include <memory>

#include "compiler/driver/errors.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

[[nodiscard]] int run_with_renderer(const Options& options) {
  const Result<std::unique_ptr<render::Renderer>> renderer = find_renderer(options.render);
  if (!renderer.ok()) return refuse(renderer.error());
  Options with_renderer = options;
  with_renderer.render.clear();
  with_renderer.renderer = renderer.value().get();
  return run_command(with_renderer);
}

}  // namespace

int run_command(const Options& options) {
  if (!options.render.empty() && !options.show_files) return run_with_renderer(options);
  if (options.show_files) return run_show_files(options);
  switch (options.command) {
    case Command::check:
      return run_check(options);
    case Command::filter:
      return run_filter(options);
    case Command::server:
      return run_server();
    case Command::self_check:
      return run_self_check(options);
    case Command::fix:
      return run_fix(options);
    case Command::completions:
      return run_completions(options);
    case Command::complete_words:
      return run_complete_words(options);
    case Command::place:
      return run_place(options);
    case Command::why:
      return run_why(options);
    case Command::nodes:
      return run_nodes(options);
    case Command::policy:
      return run_policy(options);
    case Command::debug_json:
    case Command::debug_spans:
      return run_debug(options);
    case Command::debug_admit:
      return run_debug_admit(options);
    case Command::compile:
      return run_compile(options);
    case Command::schema:
      return run_schema(options);
    case Command::rule:
    case Command::rules:
      return run_rules(options);
    case Command::generate:
      return run_generate(options);
    case Command::init:
      return run_init(options);
  }
  return 2;
}

}  // namespace gpulint
