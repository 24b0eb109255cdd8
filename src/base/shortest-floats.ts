// The fewest digits that identify a float32: what scores are printed with. native/core/json/ecma_number.h prints the same.

const FEWEST_DIGITS = 6;
/** More are never needed. */
const MOST_DIGITS = 9;
/** Below it a float32 has fewer digits the smaller it is. */
const LEAST_NORMAL = 2 ** -126;
/** Floats between them, as nearly all scores are, are scaled; printing a number to try it takes longer. */
const LEAST_SCALED = 0.1;
const MOST_SCALED = 100_000;

/** The number with the fewest digits that reads back as `float`, which is a finite float32. */
export function shortestFloat(float: number): number {
  const size = Math.abs(float);
  if (size < LEAST_SCALED || size >= MOST_SCALED) return precise(float);
  // Whole numbers of the last digit: its power of ten and the quotient are exact.
  const places = size >= 1 ? 1 + Math.floor(Math.log10(size)) : 0;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const scale = 10 ** (digits - places);
    const shown = Math.round(float * scale) / scale;
    if (Math.fround(shown) === float) return shown;
  }
  return precise(float);
}

function precise(float: number): number {
  const fewest = Math.abs(float) < LEAST_NORMAL ? 1 : FEWEST_DIGITS;
  for (let digits = fewest; digits < MOST_DIGITS; digits++) {
    const shown = Number(roundedText(float, digits));
    if (Math.fround(shown) === float) return shown;
  }
  return Number(float.toPrecision(MOST_DIGITS));
}

/** Of the two that are as near, the one that ends evenly; toPrecision() takes the larger. */
function roundedText(float: number, digits: number): string {
  const text = float.toPrecision(digits);
  const between = float.toPrecision(digits + 1);
  if (!HALF.test(between) || Number(between) !== float || EVEN.test(text)) return text;
  return between.replace(HALF, '');
}

/** The last digit, with an exponent behind it or none. */
const HALF = /5(?=e|$)/;
const EVEN = /[02468](?:e|$)/;
