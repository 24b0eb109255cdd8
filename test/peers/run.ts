// Sends requests to both servers and classifies each: equal, a known difference, another
// difference, or unsupported by this peer.
import { compare, type Difference } from './compare.ts';
import { KNOWN, type KnownDifference } from './differences.ts';
import type { Peer } from './peer.ts';
import type { PeerRequest, Send } from './request.ts';
import { withoutScores } from './without-scores.ts';

export type Verdict = 'same' | 'known' | 'different' | 'skipped';

export interface Result {
  readonly name: string;
  readonly verdict: Verdict;
  readonly differences: readonly Difference[];
  readonly reasons: readonly string[];
}

export interface Outcome {
  readonly results: readonly Result[];
  /** Known differences of requests that were sent, but that did not occur. */
  readonly outlived: readonly KnownDifference[];
  readonly failed: boolean;
}

export async function runAll(
  requests: readonly PeerRequest[],
  peer: Peer,
  quarry: Send,
  whole: boolean,
): Promise<Outcome> {
  const seen = new Set<KnownDifference>();
  const results: Result[] = [];
  // If scores differ by design, only the requests that need a capability of this peer are sent.
  const requested = peer.scores ? requests : requests.filter(({ needs }) => needs.length > 0);
  for (const request of requested) results.push(await runOne(request, peer, quarry, seen));
  const outlived =
    whole && peer.scores
      ? KNOWN.filter((known) => known.opensearch !== true && !seen.has(known))
      : [];
  const failed = outlived.length > 0 || results.some(({ verdict }) => verdict === 'different');
  return { results, outlived, failed };
}

async function runOne(
  { name, needs, run }: PeerRequest,
  peer: Peer,
  quarry: Send,
  seen: Set<KnownDifference>,
): Promise<Result> {
  const lacking = needs.filter((need) => !peer.has.has(need));
  if (lacking.length > 0) return { name, verdict: 'skipped', differences: [], reasons: lacking };
  const view = peer.scores ? (answers: unknown): unknown => answers : withoutScores;
  const differences = compare(view(await run(peer.send)), view(await run(quarry)));
  const reasons = new Set<string>();
  const unknown = differences.filter(({ path }) => {
    const known = KNOWN.find((one) => one.request.test(name) && one.path.test(path));
    if (known === undefined) return true;
    seen.add(known);
    reasons.add(known.reason);
    return false;
  });
  if (unknown.length > 0) return { name, verdict: 'different', differences: unknown, reasons: [] };
  const verdict = differences.length > 0 ? 'known' : 'same';
  return { name, verdict, differences, reasons: [...reasons] };
}
