// Retires a link: the document stays and records the instant at which the link ended and the
// instant at which that was recorded. It is a compare-and-set on the document's sequence number, so
// that of two concurrent calls only one succeeds.
import { QuarryError } from '../errors.js';
import { isConflict } from './conflict.js';
import { type Edge, fromSource, retiredSource } from './edge.js';
import type { GraphDeps } from './graph.js';
import { checkBrain, checkId, edgesIndex, illegal } from './names.js';

export type UnlinkAnswer = { readonly brain: string; readonly edge_id: string } & (
  | { readonly invalidated: true; readonly invalid_at: number; readonly expired_at: number }
  | {
      readonly invalidated: false;
      readonly already_invalid_at: number;
      readonly expired_at: number | null;
    }
);

/** `invalidAt` undefined: the link ends now, or at its valid_at if that is later. */
export async function unlink(
  { backend, clock }: GraphDeps,
  brain: string,
  edge_id: string,
  invalidAt: number | undefined,
): Promise<UnlinkAnswer> {
  checkBrain(brain);
  checkId(edge_id, 'edge_id');
  const index = edgesIndex(brain);
  if (!backend.exists(index, {})) throw unknownLink(brain, edge_id);
  for (;;) {
    const found = await backend.get({ index, id: edge_id, source: true });
    if (found.source === undefined) throw unknownLink(brain, edge_id);
    const edge = fromSource(edge_id, found.source);
    if (edge.invalid_at !== null) {
      const { invalid_at, expired_at } = edge;
      return { brain, edge_id, invalidated: false, already_invalid_at: invalid_at, expired_at };
    }
    const now = await clock.now(brain);
    const invalid_at = endOf(edge, invalidAt, now);
    try {
      await backend.write(
        {
          op: 'index',
          index,
          id: edge_id,
          source: retiredSource(found.source, invalid_at, now),
          ...(found.seqNo === undefined ? {} : { ifSeqNo: found.seqNo }),
          ...(found.primaryTerm === undefined ? {} : { ifPrimaryTerm: BigInt(found.primaryTerm) }),
        },
        { refresh: 'false' },
      );
      return { brain, edge_id, invalidated: true, invalid_at, expired_at: now };
    } catch (error) {
      // A concurrent writer was first: read the link again.
      if (!isConflict(error)) throw error;
    }
  }
}

function endOf(edge: Edge, requested: number | undefined, now: number): number {
  const start = edge.valid_at ?? Number.NEGATIVE_INFINITY;
  if (requested === undefined) return Math.max(now, start);
  if (requested >= start) return requested;
  throw illegal(
    `[invalid_at] is ${requested}, before the link's valid_at ${start}; a link can end at its beginning at the earliest`,
  );
}

function unknownLink(brain: string, edge_id: string): QuarryError {
  return new QuarryError(
    'resource_not_found_exception',
    `no link [${edge_id}] in brain [${brain}]`,
    { extra: { 'resource.type': 'link', 'resource.id': edge_id } },
  );
}
