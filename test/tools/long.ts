// Long tests have two forms: a short one in `npm test`, and the complete one in `npm run
// test:long`.

export const LONG = process.env['LONG_TESTS'] === '1';

/** Every `step`-th item of `all`, from the first on; in the long form every item. */
export function some<T>(all: readonly T[], step: number): readonly T[] {
  return LONG ? all : all.filter((_, i) => i % step === 0);
}
