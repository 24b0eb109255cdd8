// Prints float32 scores with the fewest digits that identify them; native/core/json/ecma_number.h
// prints the same.

const FEWEST_DIGITS = 6;
/** This many digits identify every float32. */
const MOST_DIGITS = 9;
/** Subnormal floats, below this, have fewer significant digits. */
const LEAST_NORMAL = 2 ** -126;
/**
 * Range in which floats are rounded by scaling, which is faster than printing them; it contains
 * nearly all scores.
 */
const LEAST_SCALED = 0.1;
const MOST_SCALED = 100_000;
/** By exponent: `10 ** exponent` and Math.log10() take longer than all the rest. */
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/**
 * The number with the fewest digits that converts back to `float`, which must be a finite float32.
 */
export function shortestFloat(float: number): number {
  const size = Math.abs(float);
  if (size < LEAST_SCALED || size >= MOST_SCALED) return precise(float);
  // Scaling is exact here: the power of ten and the quotient are exact doubles.
  const places = digitsBeforePoint(size);
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const scale = POWERS[digits - places] ?? 1;
    const shown = Math.round(float * scale) / scale;
    if (Math.fround(shown) === float) return shown;
  }
  return precise(float);
}

/** Of a number below MOST_SCALED; 0 below 1. */
function digitsBeforePoint(size: number): number {
  if (size < 10) return size < 1 ? 0 : 1;
  if (size < 1000) return size < 100 ? 2 : 3;
  return size < 10_000 ? 4 : 5;
}

function precise(float: number): number {
  const fewest = Math.abs(float) < LEAST_NORMAL ? 1 : FEWEST_DIGITS;
  for (let digits = fewest; digits < MOST_DIGITS; digits++) {
    const shown = Number(roundedText(float, digits));
    if (Math.fround(shown) === float) return shown;
  }
  return Number(float.toPrecision(MOST_DIGITS));
}

/** Rounds half to even; toPrecision() rounds half up. */
function roundedText(float: number, digits: number): string {
  const text = float.toPrecision(digits);
  const between = float.toPrecision(digits + 1);
  if (!HALF.test(between) || Number(between) !== float || EVEN.test(text)) return text;
  return between.replace(HALF, '');
}

/** A final digit 5, before an exponent or at the end. */
const HALF = /5(?=e|$)/;
const EVEN = /[02468](?:e|$)/;
