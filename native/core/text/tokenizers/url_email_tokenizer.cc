// At each place the longest of a URL, a host, an e-mail address and a word is taken.
#include "text/tokenizers/url_email_tokenizer.h"

#include "text/analysis/utf8.h"
#include "text/tokenizers/standard_tokenizer.h"
#include "text/tokenizers/url_scanner.h"

namespace quarry {
namespace {

constexpr const char* kTypeUrl = "<URL>";
constexpr const char* kTypeEmail = "<EMAIL>";
constexpr size_t kReadsPerStep = 4;

/// Finds the ends of runs of characters that local parts of addresses consist of. Asked for places
/// from left to right it reads each character once.
class LocalRuns {
 public:
  explicit LocalRuns(std::string_view text) : text_(text) {}

  /// Whether an address may start at `at`: its run ends within `length` bytes before an @, or
  /// before a quote, which needs a closer look.
  bool may_start_address(size_t at, size_t length) {
    if (text_[at] == '"') return true;
    if (end_ < at) end_ = at;
    while (end_ < text_.size() && is_local_character(text_[end_])) ++end_;
    if (end_ == at || end_ == text_.size() || end_ - at >= length) return false;
    return text_[end_] == '@' || text_[end_] == '"';
  }

 private:
  const std::string_view text_;
  size_t end_ = 0;  // of the run of the last place
};

/// Whether "mailto:" and an address start the text: the word is then a token of its own.
bool is_mail_link(const ScannedText& text) {
  constexpr std::string_view kScheme = "mailto";
  if (text.size() < kScheme.size() + 2 || text[kScheme.size()] != ':') return false;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    if ((text[i] | 0x20) != kScheme[i]) return false;
  }
  return scan_email(ScannedText(text.substr(kScheme.size() + 1, text.size()))).bytes > 0;
}

}  // namespace

void UrlEmailTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                                 AnalysisBudget& budget) const {
  LocalRuns runs(text);
  size_t no_email_before = 0;  // what was read of a local part without finding an address
  for (size_t at = 0; at < text.size() && out.tokens.size() <= budget.max_tokens();) {
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    WordSpan best = scan_word(text, at, max_length_);
    if (ascii && static_cast<unsigned char>(text[at]) > ' ') {
      const ScannedText window(text.substr(at, max_length_));
      size_t reach = best.end - at;
      // A host counts with the character that ends it, so it wins over a word of its length.
      const size_t host = scan_host(window);
      const size_t host_reach = host == 0 ? 0 : host + (host < window.size() ? 1 : 0);
      const size_t url = scan_url(window);
      EmailMatch email;
      if (at >= no_email_before && runs.may_start_address(at, max_length_)) {
        email = scan_email(window);
        if (email.bytes == 0 && email.local_end < window.size())
          no_email_before = at + email.local_end;
      }
      if (host != 0 && host_reach >= reach) {
        best = {at + host, kTypeUrl};
        reach = host_reach;
      }
      if (email.bytes > 0 && email.bytes >= reach) {
        best = {at + email.bytes, kTypeEmail};
        reach = email.bytes;
      }
      if (url != 0 && url >= reach) best = {at + url, kTypeUrl};
      if (best.type == kTypeAlphanum && is_mail_link(window)) best.end = at + 6;
      if (!budget.spend(1 + window.reads() / kReadsPerStep)) return;
    }
    if (best.end == at) {
      at = ascii ? at + 1 : next_start(text, at, max_length_);
      continue;
    }
    out.tokens.push_back(
        Token{text.substr(at, best.end - at), static_cast<uint32_t>(out.tokens.size()), 1,
              static_cast<uint32_t>(at), static_cast<uint32_t>(best.end), best.type});
    at = best.end;
  }
  finish_positions(out);
}

}  // namespace quarry
