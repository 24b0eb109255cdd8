// npm run bench:quality: how well documents and memories are found. With a sentence model where one can be installed;
// --no-model leaves it out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { measureCollections } from './collections.ts';
import { measureDialogue } from './dialogue.ts';
import { startModel } from './model.ts';

const shared = join(process.env['SHARED_DIR'] ?? join('..', 'shared'), 'lexical');
const hasCollections = existsSync(shared);
if (!hasCollections) console.log(`no collections: ${shared} is not there`);
const wantsModel = hasCollections && !process.argv.includes('--no-model');
const model = wantsModel ? await startModel() : undefined;
try {
  if (hasCollections) await measureCollections(shared, model);
  await measureDialogue();
} finally {
  model?.stop();
}
