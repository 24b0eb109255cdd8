// npm run bench:quality: measures how well documents and memories are found. Includes a sentence
// model if one can be installed; --no-model leaves it out. `memory` measures agent memory alone, and
// `--before TREE` another built tree beside it.
import { existsSync } from 'node:fs';
import { loadNow } from '../lab/machine.ts';
import { printRun } from '../lab/print.ts';
import { startModel } from './model.ts';
import { COLLECTIONS, measureQuality } from './quality.bench.ts';

const memoryAlone = process.argv.includes('memory');
const beforeAt = process.argv.indexOf('--before');
const before = beforeAt < 0 ? undefined : process.argv[beforeAt + 1];
const wantsModel = !memoryAlone && existsSync(COLLECTIONS) && !process.argv.includes('--no-model');
const model = wantsModel ? await startModel() : undefined;
const [load, started] = [loadNow(), performance.now()];
try {
  const result = await measureQuality(model, { memoryAlone, before });
  const seconds = (performance.now() - started) / 1000;
  printRun({ suite: 'quality', seconds, load, ...result });
} finally {
  model?.stop();
}
