// Seeds the property tests: the same cases in every run of the suite, so that what was green stays green until something
// changes. PROPERTY_SEED=random (`npm run test:random`) looks for new ones; a number repeats a run, as its failure names it.
import fc from 'fast-check';

const SEED = 20_261_122;
const requested = process.env['PROPERTY_SEED'];

if (requested !== 'random') {
  const seed = requested === undefined ? SEED : Number(requested);
  if (!Number.isSafeInteger(seed)) throw new Error(`PROPERTY_SEED must be a number or random`);
  fc.configureGlobal({ seed });
}
