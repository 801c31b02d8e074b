#pragma once

// driver: the command line. One command_<name>.cpp for each command: it calls the pipeline and
// prints the result. Only the driver knows options, terminals and exit statuses.

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/options.h"

namespace gpulint {

/// Runs the command that `options` names and returns the exit status. Each command lives in
/// command_<name>.cpp.
[[nodiscard]] int run_command(const Options& options);

[[nodiscard]] int run_check(const Options& options);
[[nodiscard]] int run_fix(const Options& options);
[[nodiscard]] int run_compile(const Options& options);
[[nodiscard]] int run_place(const Options& options);
[[nodiscard]] int run_why(const Options& options);
[[nodiscard]] int run_nodes(const Options& options);
[[nodiscard]] int run_policy(const Options& options);
[[nodiscard]] int run_generate(const Options& options);
[[nodiscard]] int run_init(const Options& options);
/// `--show-files` of any command.
[[nodiscard]] int run_show_files(const Options& options);
[[nodiscard]] int run_rules(const Options& options);
[[nodiscard]] int run_schema(const Options& options);
[[nodiscard]] int run_completions(const Options& options);
/// The answer of `__complete`: complete_words() of this command line.
[[nodiscard]] int run_complete_words(const Options& options);
/// The script for bash, zsh or fish, embedded at build time from completions/.
[[nodiscard]] std::string_view completion_script(std::string_view shell);
[[nodiscard]] int run_filter(const Options& options);
/// A language server on standard input and output, until the client leaves.
[[nodiscard]] int run_server();
[[nodiscard]] int run_self_check(const Options& options);
[[nodiscard]] int run_debug(const Options& options);
[[nodiscard]] int run_debug_admit(const Options& options);

}  // namespace gpulint
