// Sets the seed of the property tests, so that every run of the suite has the same cases and
// results change only with the code. PROPERTY_SEED=random (`npm run test:random`) uses a new seed;
// a number repeats a run, as its failure prints it.
import fc from 'fast-check';

const SEED = 20_261_122;
const requested = process.env['PROPERTY_SEED'];

if (requested !== 'random') {
  const seed = requested === undefined ? SEED : Number(requested);
  if (!Number.isSafeInteger(seed)) throw new Error(`PROPERTY_SEED must be a number or random`);
  fc.configureGlobal({ seed });
}
