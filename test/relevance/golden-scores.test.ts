// Scores over HTTP equal those of the reference engine on four judged collections, for any number
// of shards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoldenRow, readCollection, readGolden } from '../tools/collections.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';

const shared = sharedPath('lexical');
const SETS = ['cacm', 'cisi', 'cranfield', 'medline'];
const SHARDS = [1, 2, 5];
const TOLERANCE = 1e-4;
const LONG = 240_000;

/**
 * Top-10 scores and totals must be equal, and ids above the last score (ties at the border may be
 * resolved either way).
 */
function compare(rows: readonly GoldenRow[], reply: Reply): readonly string[] {
  const problems: string[] = [];
  const first = rows[0];
  if (first !== undefined && reply.hits.total.value !== first.total) {
    problems.push(`total ${reply.hits.total.value} instead of ${first.total}`);
  }
  for (const [rank, row] of rows.entries()) {
    const hit = reply.hits.hits[rank];
    const score = hit?._score ?? Number.NaN;
    if (!(Math.abs(score - row.score) <= TOLERANCE * row.score)) {
      problems.push(`rank ${rank + 1}: score ${score} instead of ${row.score}`);
    }
    const tied = rows.some(
      (other) => other !== row && Math.abs(other.score - row.score) <= TOLERANCE * row.score,
    );
    const last = rank === rows.length - 1;
    if (!tied && !last && hit?._id !== row.id) {
      problems.push(`rank ${rank + 1}: ${hit?._id} instead of ${row.id}`);
    }
  }
  return problems;
}

interface Reply {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _id: string; readonly _score: number }[];
  };
}

describe.skipIf(shared === undefined)('golden scores', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  }, LONG);
  afterAll(async () => {
    await server?.stop();
  });

  for (const set of SETS) {
    for (const shards of SHARDS) {
      test(
        `${set}, ${shards} shards`,
        async () => {
          const collection = readCollection(shared ?? '', set);
          const index = `${set}-${shards}`;
          const created = await server.call('PUT', `/${index}`, {
            settings: { number_of_shards: shards },
            mappings: { properties: { text: { type: 'text' } } },
          });
          expect(created.status).toBe(200);
          const lines = collection.documents.flatMap(({ id, text }) => [
            JSON.stringify({ index: { _id: id } }),
            JSON.stringify({ text }),
          ]);
          await bulk(server, `/${index}/_bulk?refresh=true`, lines);
          const byQuery = new Map<string, GoldenRow[]>();
          for (const row of readGolden(shared ?? '', set)) {
            byQuery.set(row.query, [...(byQuery.get(row.query) ?? []), row]);
          }
          const problems: string[] = [];
          for (const query of collection.queries) {
            const rows = byQuery.get(query.id);
            if (rows === undefined) continue;
            const reply = await server.call('POST', `/${index}/_search`, {
              query: { match: { text: query.text } },
              track_total_hits: true,
              _source: false,
            });
            problems.push(...compare(rows, reply.json).map((text) => `query ${query.id}: ${text}`));
          }
          expect(problems).toEqual([]);
        },
        LONG,
      );
    }
  }
});
