// Runs a fuzz target without a fuzzer: every file of a corpus, every truncation of it, then seeded
// mutations. A target is LLVMFuzzerTestOneInput, so that libFuzzer can run it as well.
//
//   <name>_fuzz [--runs N] [--seed N] <file or folder>...
//
// A crash or a sanitizer report ends the process; the last line has the seed and the name of the
// input.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

/// Above this length, truncating at every byte would take too long, and a larger step is used.
constexpr size_t kMaxTruncations = 4096;

struct Options {
  uint64_t runs = 1000;  // mutations for each input
  uint64_t seed = 1;
  std::vector<std::string> inputs;
};

/// Runs on a copy of exact size, so that ASan detects a read one byte past the end.
void run_one(const Bytes& input, size_t size) {
  const Bytes exact(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size));
  static_cast<void>(LLVMFuzzerTestOneInput(exact.data(), exact.size()));
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

std::vector<std::filesystem::path> list_files(const std::vector<std::string>& inputs) {
  std::vector<std::filesystem::path> files;
  for (const std::string& input : inputs) {
    if (!std::filesystem::is_directory(input)) {
      files.emplace_back(input);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(input)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Flips bits, overwrites with edge values, inserts or removes bytes: one to four edits.
void mutate(Bytes& bytes, std::mt19937_64& random) {
  constexpr uint8_t kEdges[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '"', '{', '\n'};
  for (uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
    if (bytes.empty()) bytes.push_back(0);
    const size_t at = random() % bytes.size();
    const auto where = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const uint8_t edge = kEdges[random() % std::size(kEdges)];
    switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1U << (random() % 8)));
        break;
      case 1:
        bytes[at] = edge;
        break;
      case 2:
        bytes.insert(where, edge);
        break;
      default:
        bytes.erase(where);
        break;
    }
  }
}

void run_file(const Bytes& input, const Options& options) {
  run_one(input, input.size());
  const size_t step = std::max<size_t>(1, input.size() / kMaxTruncations);
  for (size_t size = 0; size < input.size(); size += step) run_one(input, size);
  std::mt19937_64 random(options.seed);
  for (uint64_t run = 0; run < options.runs; ++run) {
    Bytes changed = input;
    mutate(changed, random);
    run_one(changed, changed.size());
  }
}

/// False if an option is unknown or lacks its number.
bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument != "--runs" && argument != "--seed") {
      if (argument.starts_with("--")) return false;
      options.inputs.push_back(argument);
      continue;
    }
    if (++i == argc) return false;
    (argument == "--runs" ? options.runs : options.seed) = std::strtoull(argv[i], nullptr, 10);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: %s [--runs N] [--seed N] <file or folder>...\n", argv[0]);
    return 2;
  }
  const std::vector<std::filesystem::path> files = list_files(options.inputs);
  std::printf("seed %llu, no input\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  run_file({}, options);
  for (const std::filesystem::path& file : files) {
    std::printf("seed %llu, %s\n", static_cast<unsigned long long>(options.seed), file.c_str());
    std::fflush(stdout);
    run_file(read_file(file), options);
  }
  std::printf("done: %zu inputs\n", files.size() + 1);
  return 0;
}
