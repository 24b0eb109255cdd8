// What must agree between servers in the answers of the nested suite.
import type { QueryFamily } from '../peers/duel.ts';
import { ask, type Server } from '../peers/servers.ts';

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly unknown[];
  readonly inner_hits?: Readonly<Record<string, { readonly hits: Hits }>>;
}
interface Hits {
  readonly total: { readonly value: number };
  readonly hits: readonly Hit[];
}

/** Sums of many numbers in another order, and floats of scores. */
const DIGITS = 5;

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(DIGITS));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

/** Totals, and what orders the hits: which of equal ones stands on the page is any server's choice. */
function ranksOf({ total, hits }: Hits): unknown {
  return [
    total.value,
    hits.map(({ _score, sort, inner_hits: inner }) => [
      sort ?? _score,
      sort === undefined ? [] : Object.values(inner ?? {}).map((one) => ranksOf(one.hits)),
    ]),
  ];
}

/** Counts of hits, and ranks or aggregations, as text. */
export function essence(reply: string): string {
  const { hits, aggregations } = JSON.parse(reply);
  return JSON.stringify(rounded(aggregations === undefined ? ranksOf(hits) : aggregations));
}

/** Throws unless all servers give the same answers; returns the totals of ours. */
export async function verify(
  sides: readonly Server[],
  { name, path, bodies }: QueryFamily,
): Promise<readonly number[]> {
  const totals: number[] = [];
  for (const body of bodies) {
    const replies: string[] = [];
    for (const side of sides) replies.push(await ask(side, 'POST', path, body));
    const [ours = '', ...others] = replies;
    for (const other of others) {
      if (essence(other) === essence(ours)) continue;
      throw new Error(`${name}: other answers to ${body}:\n${essence(ours)}\n${essence(other)}`);
    }
    totals.push(JSON.parse(ours).hits.total.value);
  }
  return totals;
}
