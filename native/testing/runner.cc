// Runs test cases in several processes. They share one block of memory: the next case, the counts,
// and the current case of each process.
#include "testing/runner.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace quarry::testing {
namespace {

constexpr size_t kNoCase = SIZE_MAX;
constexpr unsigned kMostJobs = 64;

struct Shared {
  std::atomic<size_t> next{0};
  std::atomic<int> passed{0};
  std::atomic<int> failed{0};
  std::atomic<size_t> at[kMostJobs];
};

/// Uses one write, so that the output of several processes does not mix.
void say_failed(std::FILE* out, const TestCase& test, const std::vector<std::string>& messages) {
  std::string text = "FAILED " + name_of(test) + "\n";
  for (const std::string& message : messages) text += "  " + message + "\n";
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

bool run(const TestCase& test, std::FILE* out) {
  failures().clear();
  try {
    test.body();
  } catch (const std::exception& error) {
    failures().push_back(std::string("exception: ") + error.what());
  }
  if (failures().empty()) return true;
  say_failed(out, test, failures());
  return false;
}

void work(std::span<const TestCase> cases, Shared& shared, std::atomic<size_t>& at,
          std::FILE* out) {
  for (size_t i = shared.next++; i < cases.size(); i = shared.next++) {
    at = i;
    (run(cases[i], out) ? shared.passed : shared.failed)++;
    at = kNoCase;
  }
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return "the process ended by signal " + std::to_string(WTERMSIG(status));
  return "the process ended with status " + std::to_string(WEXITSTATUS(status));
}

TestCounts run_alone(std::span<const TestCase> cases, std::FILE* out) {
  TestCounts counts;
  for (const TestCase& test : cases) (run(test, out) ? counts.passed : counts.failed)++;
  return counts;
}

}  // namespace

std::string name_of(const TestCase& test) {
  return std::string(test.suite) + "." + std::string(test.name);
}

TestCounts run_cases(std::span<const TestCase> cases, unsigned jobs, std::FILE* out) {
  if (jobs < 2) return run_alone(cases, out);
  jobs = std::min(jobs, kMostJobs);
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share between the jobs");
  Shared& shared = *new (memory) Shared;
  std::fflush(nullptr);
  std::vector<pid_t> children;
  for (unsigned job = 0; job < jobs; job++) {
    shared.at[job] = kNoCase;
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a process for a job");
    if (child == 0) {
      work(cases, shared, shared.at[job], out);
      std::exit(0);  // not _exit: the sanitizer checks for leaks at exit
    }
    children.push_back(child);
  }
  for (unsigned job = 0; job < jobs; job++) {
    int status = 0;
    waitpid(children[job], &status, 0);
    const size_t at = shared.at[job];
    if (status == 0 && at == kNoCase) continue;
    shared.failed++;
    if (at != kNoCase) {
      say_failed(out, cases[at], {ending_of(status)});
    } else {
      std::fprintf(out, "FAILED after all tests of a job: %s\n", ending_of(status).c_str());
    }
  }
  const TestCounts counts{shared.passed, shared.failed};
  munmap(memory, sizeof(Shared));
  return counts;
}

}  // namespace quarry::testing
