// Measures how well documents and memories are found: judged collections of the shared folder with
// every search method, compared with the values measured by the design, the turns of a dialogue
// and facts in three languages as memories. `npm run bench:quality` adds a sentence model.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteResult } from '../lab/result.ts';
import { measureCollections } from './collections.ts';
import { measureDialogue } from './dialogue.ts';
import { measureFacts } from './facts.ts';
import type { ModelService } from './model.ts';

export const COLLECTIONS = join(process.env['SHARED_DIR'] ?? join('..', 'shared'), 'lexical');

export function qualitySuite(): Promise<SuiteResult> {
  return measureQuality(undefined, {});
}

export interface QualityChoices {
  /** Only agent memory: the dialogue and the facts. */
  readonly memoryAlone?: boolean;
  /** Another built tree to compare the dialogue with. */
  readonly before?: string | undefined;
}

export async function measureQuality(
  model: ModelService | undefined,
  { memoryAlone = false, before }: QualityChoices,
): Promise<SuiteResult> {
  const rows = [...(await measureDialogue(before)), ...(await measureFacts())];
  if (memoryAlone) return { facts: [], rows };
  const there = existsSync(COLLECTIONS);
  const collections = there ? await measureCollections(COLLECTIONS, model) : [];
  return {
    facts: [
      there ? `collections of ${COLLECTIONS}` : `no collections: ${COLLECTIONS} is not there`,
    ],
    rows: [...collections, ...rows],
  };
}
