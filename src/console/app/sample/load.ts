// Loads the sample data by the routes that everybody uses, one step after the other, so that each
// can be shown. Loading it again changes nothing.
import { call, path, RequestError } from '../kit/api.js';
import { jsonText } from '../kit/json.js';
import { MEMORIES, MEMORY_LINKS, NOTE_MAPPING, NOTES } from './corpus.js';
import { SAMPLE_INDEX, SAMPLE_NAMESPACE } from './names.js';

export interface SampleStep {
  readonly label: string;
  readonly run: () => Promise<void>;
}

export const SAMPLE_STEPS: readonly SampleStep[] = [
  { label: `Create the index ${SAMPLE_INDEX}`, run: createIndex },
  { label: `Store ${NOTES.length} notes and embed their texts`, run: storeNotes },
  { label: 'Find the links between the notes', run: findLinks },
  { label: `Store ${MEMORIES.length} memories in ${SAMPLE_NAMESPACE}`, run: storeMemories },
  { label: 'Link the memories', run: linkMemories },
];

async function createIndex(): Promise<void> {
  try {
    await call('PUT', path`/${SAMPLE_INDEX}`, { mappings: NOTE_MAPPING });
  } catch (error) {
    if (error instanceof RequestError && error.type === 'resource_already_exists_exception') return;
    throw error;
  }
}

async function storeNotes(): Promise<void> {
  const lines = NOTES.flatMap(({ id, ...note }) => [
    jsonText({ index: { _id: id } }, 0),
    jsonText(note, 0),
  ]);
  await bulk(path`/${SAMPLE_INDEX}/_bulk`, `${lines.join('\n')}\n`);
}

/** A bulk answers 200 even if some of its items were refused. */
async function bulk(target: string, lines: string): Promise<void> {
  const { items } = await call<{
    readonly items: readonly { readonly index: { readonly error?: { readonly reason: string } } }[];
  }>('POST', target, lines, { params: { refresh: true } });
  for (const { index } of items) {
    if (index.error !== undefined) throw new RequestError(400, 'bulk', index.error.reason);
  }
}

async function findLinks(): Promise<void> {
  await call('PUT', path`/_graph/${SAMPLE_INDEX}`, { nodes_index: SAMPLE_INDEX });
  await call('POST', path`/_graph/${SAMPLE_INDEX}/detect`);
}

/** One by one: some of them supersede those before. */
async function storeMemories(): Promise<void> {
  for (const memory of MEMORIES) await call('POST', path`/_memory/${SAMPLE_NAMESPACE}`, memory);
}

async function linkMemories(): Promise<void> {
  for (const link of MEMORY_LINKS) await call('POST', path`/_graph/${SAMPLE_NAMESPACE}/link`, link);
}
