// Characters that are newer than the tables of the tokenizer, which take them for letters: they are
// neither removed, folded nor split at. Without this list the words of a text would also change
// with the Unicode version of the runtime. Found by comparing every code point with the library
// `tokenizers` 0.23.

/** First and last code points, in hexadecimal digits. */
const RANGES =
  '61d 7fd 890-8e2 9fd-9fe a76 afa-aff b55 c04-c3c c77 c84 d00 d3b-d3c d81 eba ece 180f-1886 ' +
  '1abf-1aeb 1b4e-1b4f 1b7d-1b7f 1df6-1dfb 2e43-2e5d a82c a8c5 a8ff a9bd 105c9-105e4 10d24-10d27 ' +
  '10d69-10f89 11070-11074 110c2-110cd 111cf 1123e-11241 1133b 11383-1145e 11660-1166c 116b9 ' +
  '1182f-1183b 11938-11fff 12ff1-1612f 16d68-16d6f 16e97-16e9a 16f4f 16fe2-16fe4 1cf00-1cf46 ' +
  '1e000-1e6f5 1e944-1e95f';

const LATER = new RegExp(
  `[${RANGES.split(' ')
    .map((range) =>
      range
        .split('-')
        .map((code) => `\\u{${code}}`)
        .join('-'),
    )
    .join('')}]`,
  'u',
);

/** `character` is one code point. */
export function isPlainCharacter(character: string): boolean {
  return character > '\u0600' && LATER.test(character);
}
