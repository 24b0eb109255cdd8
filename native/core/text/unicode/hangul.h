// The arithmetic of Hangul syllables (Unicode Standard 3.12): lead, vowel and tail are the digits
// of the number of a syllable.
#pragma once

#include <cstdint>

namespace quarry {

struct Hangul {
  static constexpr uint32_t kFirst = 0xAC00;   // the first syllable
  static constexpr uint32_t kLead = 0x1100;    // the first lead
  static constexpr uint32_t kVowel = 0x1161;   // the first vowel
  static constexpr uint32_t kNoTail = 0x11A7;  // one before the first tail
  static constexpr uint32_t kLeads = 19;
  static constexpr uint32_t kVowels = 21;
  static constexpr uint32_t kTails = 28;  // with none

  static constexpr bool is_syllable(uint32_t cp) {
    return cp >= kFirst && cp < kFirst + kLeads * kVowels * kTails;
  }
  // The parts of a syllable; the tail is kNoTail when there is none.
  static constexpr uint32_t lead(uint32_t cp) { return kLead + (cp - kFirst) / (kVowels * kTails); }
  static constexpr uint32_t vowel(uint32_t cp) { return kVowel + (cp - kFirst) / kTails % kVowels; }
  static constexpr uint32_t tail(uint32_t cp) { return kNoTail + (cp - kFirst) % kTails; }

  /// The syllable of a lead and a vowel, or of a syllable without tail and a tail; 0 for others.
  static constexpr uint32_t compose(uint32_t first, uint32_t second) {
    if (first >= kLead && first < kLead + kLeads && second >= kVowel && second < kVowel + kVowels)
      return kFirst + ((first - kLead) * kVowels + second - kVowel) * kTails;
    const bool open = is_syllable(first) && tail(first) == kNoTail;
    return open && second > kNoTail && second < kNoTail + kTails ? first + second - kNoTail : 0;
  }
};

}  // namespace quarry
