// Puts the first hits of a recall in order by a registered reranker. A reranker that fails leaves
// the order and is reported.
import { QuarryError } from '../../errors.js';
import type { Candidate } from '../candidates.js';
import type { RerankChoice } from '../recall-body.js';

/** The documents that a registered reranker ranked, best first. */
export type RerankTexts = (
  id: string,
  request: { readonly query: string; readonly documents: readonly string[] },
) => Promise<readonly { readonly index: number; readonly score: number }[]>;

/** The account in the response. */
export interface RerankReport {
  readonly inference_id: string;
  /** Number of memories that were sent. */
  readonly top: number;
  /** False: the order is that without the reranker. */
  readonly applied: boolean;
  readonly error?: { readonly type: string; readonly reason: string };
}

/**
 * `first`: the best candidates, with their texts. The ranked ones come first; the others, and
 * memories without text, keep their order after them.
 */
export async function reranked(
  first: readonly Candidate[],
  { inferenceId, query }: RerankChoice,
  rank: RerankTexts,
): Promise<{ readonly candidates: readonly Candidate[]; readonly report: RerankReport }> {
  const read = first.filter(({ entry }) => (entry?.text ?? '') !== '');
  const report = { inference_id: inferenceId, top: read.length };
  if (read.length === 0) return { candidates: first, report: { ...report, applied: true } };
  try {
    const documents = read.map(({ entry }) => entry?.text ?? '');
    const ranked = (await rank(inferenceId, { query, documents })).flatMap(({ index, score }) => {
      const one = read[index];
      return one === undefined ? [] : [{ ...one, rerankScore: score }];
    });
    const ids = new Set(ranked.map(({ id }) => id));
    const others = first.filter(({ id }) => !ids.has(id));
    return { candidates: [...ranked, ...others], report: { ...report, applied: true } };
  } catch (error) {
    if (!(error instanceof QuarryError) || error.type !== 'inference_exception') throw error;
    const { type, message: reason } = error;
    return {
      candidates: first,
      report: { ...report, applied: false, error: { type, reason } },
    };
  }
}
