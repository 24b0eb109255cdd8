// npm run bench:quality: measures how well documents and memories are found. Includes a sentence
// model if one can be installed; --no-model leaves it out.
import { existsSync } from 'node:fs';
import { loadNow } from '../lab/machine.ts';
import { printRun } from '../lab/print.ts';
import { startModel } from './model.ts';
import { COLLECTIONS, measureQuality } from './quality.bench.ts';

const wantsModel = existsSync(COLLECTIONS) && !process.argv.includes('--no-model');
const model = wantsModel ? await startModel() : undefined;
const [load, started] = [loadNow(), performance.now()];
try {
  const result = await measureQuality(model);
  const seconds = (performance.now() - started) / 1000;
  printRun({ suite: 'quality', seconds, load, ...result });
} finally {
  model?.stop();
}
