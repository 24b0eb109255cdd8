// Ranking quality over HTTP: nDCG@10 of the standard and english analyzers on four judged
// collections equals the reference engine's values (same formula and constants).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ndcgAt10, readCollection } from '../tools/collections.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';

const shared = sharedPath('lexical');
const LONG = 240_000;
const TOLERANCE = 0.003;
const EXPECTED: readonly (readonly [string, string, number])[] = [
  ['cacm', 'standard', 0.4025],
  ['cacm', 'english', 0.484],
  ['cranfield', 'standard', 0.3494],
  ['cranfield', 'english', 0.3742],
  ['medline', 'standard', 0.6624],
  ['medline', 'english', 0.6895],
  ['cisi', 'standard', 0.3548],
  ['cisi', 'english', 0.3845],
];

describe.skipIf(shared === undefined)('nDCG@10', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  }, LONG);
  afterAll(async () => {
    await server?.stop();
  });

  test.each(EXPECTED)(
    '%s with %s is %f',
    async (set, analyzer, expected) => {
      const collection = readCollection(shared ?? '', set);
      const index = `${set}-${analyzer}`;
      await server.call('PUT', `/${index}`, {
        mappings: { properties: { text: { type: 'text', analyzer } } },
      });
      const lines = collection.documents.flatMap(({ id, text }) => [
        JSON.stringify({ index: { _id: id } }),
        JSON.stringify({ text }),
      ]);
      await bulk(server, `/${index}/_bulk?refresh=true`, lines);
      let sum = 0;
      let judged = 0;
      for (const query of collection.queries) {
        const grades = collection.judgements.get(query.id);
        if (grades === undefined || ![...grades.values()].some((grade) => grade > 0)) continue;
        const reply = await server.call('POST', `/${index}/_search`, {
          query: { match: { text: query.text } },
          _source: false,
        });
        const ids = reply.json.hits.hits.map((hit: { _id: string }) => hit._id);
        sum += ndcgAt10(ids, grades);
        judged++;
      }
      expect(Math.abs(sum / judged - expected)).toBeLessThan(TOLERANCE);
    },
    LONG,
  );
});
