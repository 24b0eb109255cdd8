// What takes long by nature has two forms: a short one in `npm test`, and all of it in `npm run test:long`.

export const LONG = process.env['LONG_TESTS'] === '1';

/** Of `all` every `step`-th, from the first on; in the long form every one. */
export function some<T>(all: readonly T[], step: number): readonly T[] {
  return LONG ? all : all.filter((_, i) => i % step === 0);
}
