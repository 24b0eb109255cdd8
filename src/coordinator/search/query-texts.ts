// Embeds the strings of semantic clauses whose fields use an inference service outside this
// process, before any shard is searched.
import type { Waiter } from '../../backend/index.js';
import { awaitMaybe, type SyncFirstTask } from '../../base/maybe-promise.js';
import type { QueryEmbedder, QueryText } from '../../embed/query-embedder.js';
import type { TextVectors } from '../../query/clause.js';
import type { EmbeddedText } from '../../wire/plan-writer.js';
import { remoteEmbedders } from '../catalog/semantic-fields.js';
import type { GroupQuery } from '../shards/nearest-vectors.js';

/** What texts are read from. */
type TextGroup = Pick<GroupQuery, 'entries'> & {
  readonly query: Pick<GroupQuery['query'], 'semantic'>;
};

const NO_VECTORS: TextVectors = new Map();

/**
 * Fails with inference_exception if a vector cannot be made, because no search continues without
 * it. `done` is called after vectors were made, not if none are needed.
 */
export function* textVectors(
  groups: readonly TextGroup[],
  embedder: QueryEmbedder,
  waiter: Waiter | undefined,
  done: () => void,
): SyncFirstTask<TextVectors> {
  const wanted = remoteTexts(groups);
  if (wanted.length === 0) return NO_VECTORS;
  const vectors = yield* awaitMaybe(embedTexts(wanted, embedder, waiter));
  done();
  return vectors;
}

/** Each string once per embedder that needs it. */
function remoteTexts(groups: readonly TextGroup[]): readonly QueryText[] {
  const wanted = new Map<string, QueryText>();
  for (const { entries, query } of groups) {
    for (const { field, text } of query.semantic) {
      for (const { semantic } of entries) {
        for (const embedder of remoteEmbedders(semantic, field)) {
          wanted.set(`${embedder}\0${text}`, { embedder, text });
        }
      }
    }
  }
  return [...wanted.values()];
}

async function embedTexts(
  wanted: readonly QueryText[],
  embedder: QueryEmbedder,
  waiter: Waiter | undefined,
): Promise<TextVectors> {
  const vectors = await embedder.vectorsOf(wanted, waiter?.signal());
  const byText = new Map<string, EmbeddedText[]>();
  for (const [i, { embedder: identity, text }] of wanted.entries()) {
    const vector = vectors[i];
    if (vector === undefined) throw new Error('an embedder returned fewer vectors than texts');
    const of = byText.get(text);
    if (of === undefined) byText.set(text, [{ embedder: identity, vector }]);
    else of.push({ embedder: identity, vector });
  }
  return byText;
}
