// How a score is printed: with the digits that identify it.

/** A float32 score with the digits that identify it, as Java prints floats (1 is 1.0); a fused one with all of its own. */
export function scoreText(score: number | null): string {
  if (score === null || !Number.isFinite(score)) return 'null';
  if (Number.isInteger(score) && Math.abs(score) < 1e16) return `${score}.0`;
  if (Math.fround(score) !== score) return String(score);
  const size = Math.abs(score);
  if (size < LEAST_SCALED || size >= MOST_SCALED) return preciseText(score);
  // Whole numbers of the last digit: its power of ten and the quotient are exact.
  const places = size >= 1 ? 1 + Math.floor(Math.log10(size)) : 0;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const scale = 10 ** (digits - places);
    const shown = Math.round(score * scale) / scale;
    if (Math.fround(shown) === score) return String(shown);
  }
  return preciseText(score);
}

/** Of a float32: fewer digits are tried, more are never needed. */
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;
/** Below it a float32 has fewer digits the smaller it is. */
const LEAST_NORMAL = 2 ** -126;
/** Scores between them, as nearly all are, are scaled; printing a number to try it takes longer. */
const LEAST_SCALED = 0.1;
const MOST_SCALED = 100_000;

function preciseText(score: number): string {
  const fewest = Math.abs(score) < LEAST_NORMAL ? 1 : FEWEST_DIGITS;
  for (let digits = fewest; digits < MOST_DIGITS; digits++) {
    const text = roundedText(score, digits);
    if (Math.fround(Number(text)) === score) return String(Number(text));
  }
  return String(Number(score.toPrecision(MOST_DIGITS)));
}

/** Of the two that are as near, the one that ends evenly; toPrecision() takes the larger. */
function roundedText(score: number, digits: number): string {
  const text = score.toPrecision(digits);
  const between = score.toPrecision(digits + 1);
  if (!HALF.test(between) || Number(between) !== score || EVEN.test(text)) return text;
  return between.replace(HALF, '');
}

/** The last digit, with an exponent behind it or none. */
const HALF = /5(?=e|$)/;
const EVEN = /[02468](?:e|$)/;
