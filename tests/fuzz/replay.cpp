// A fuzz target without libFuzzer: every seed, then as many mutations of seeds as are asked for, the
// same ones on each machine.
//
// usage: fuzz_NAME [--inputs N] SEED_FILE_OR_FOLDER…
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#include "tests/fuzz/target.h"

namespace {

namespace fs = std::filesystem;
using Random = std::mt19937;

constexpr std::size_t max_seed_bytes = 16'384;
constexpr const char* failing_input = "fuzz-failure.bin";

const std::string* running = nullptr;  // what a crash is to be blamed on

/// Keeps the input that aborted, for a case of its own.
extern "C" void keep_input(int signal) {
  if (running != nullptr) std::ofstream(failing_input, std::ios::binary) << *running;
  std::cerr << "the input is in " << fs::absolute(failing_input) << '\n';
  std::_Exit(128 + signal);
}

void run(const std::string& input) {
  running = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  running = nullptr;
}

void add_seed(const fs::path& path, std::vector<std::string>& seeds) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (bytes.size() <= max_seed_bytes) seeds.push_back(std::move(bytes));
}

[[nodiscard]] std::vector<std::string> read_seeds(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (fs::is_regular_file(path)) files.push_back(path);
    if (!fs::is_directory(path)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> seeds;
  for (const fs::path& file : files) add_seed(file, seeds);
  return seeds;
}

[[nodiscard]] std::size_t below(Random& random, std::size_t bound) {
  return bound == 0 ? 0 : random() % bound;
}

/// One change: bytes, lines or a piece of another seed.
void mutate(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  constexpr std::string_view marks = "{}[]:,-#&*!|>'\"%@`?~\t\n\r \\\0\x80\xFF<";
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = below(random, std::min<std::size_t>(text.size() - at, 40) + 1);
  switch (below(random, 6)) {
    case 0:
      text.insert(at, 1, marks[below(random, marks.size())]);
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 4: {
      const std::string& other = seeds[below(random, seeds.size())];
      const std::size_t from = below(random, other.size() + 1);
      text.insert(at, other, from, below(random, 200));
      break;
    }
    default: {
      const std::size_t line = text.rfind('\n', at) + 1;
      text.insert(std::min(line, text.size()), below(random, 8), ' ');
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> paths(argv + 1, argv + argc);
  long inputs = 1'000;
  if (paths.size() > 1 && paths[0] == "--inputs") {
    inputs = std::atol(argv[2]);
    paths.erase(paths.begin(), paths.begin() + 2);
  }
  std::signal(SIGABRT, keep_input);
  std::signal(SIGSEGV, keep_input);
  const std::vector<std::string> seeds = read_seeds(paths);
  if (seeds.empty()) return std::cerr << "no seeds\n", 2;
  for (const std::string& seed : seeds) run(seed);
  Random random(1);  // NOLINT: the same inputs every time, on purpose
  for (long i = 0; i < inputs; ++i) {
    std::string input = seeds[below(random, seeds.size())];
    for (std::size_t k = 1 + below(random, 4); k > 0; --k) mutate(input, seeds, random);
    run(input);
  }
  std::cout << inputs << " inputs from " << seeds.size() << " seeds\n";
  return 0;
}
