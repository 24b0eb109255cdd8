// Recall in every mode over real HTTP: filters, recency, graph, collapsing, lengths, explanations
// and the report of omitted memories.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await fill();
});
afterAll(async () => {
  await server?.stop();
});

const DAY = 86_400_000;

/** Nine memories of three sessions; those stored later have earlier times. */
async function fill(): Promise<void> {
  const topics = ['the red boat', 'a boat and a boat again', 'nothing of that'];
  for (let i = 0; i < 9; i++) {
    const metadata = {
      session: `s${i % 3}`,
      topic: i % 2 === 0 ? 'even' : 'odd',
      said_at: (20 - i) * DAY,
    };
    const body = { id: `m${i}`, text: `${i}: ${topics[i % 3]}`, metadata, vector: [1, i] };
    const reply = await server.call('POST', '/_memory/talk', body);
    expect(reply.status, reply.text).toBe(201);
  }
}

async function recall(body: object, ns = 'talk'): Promise<Reply['json']> {
  const reply = await server.call('POST', `/_memory/${ns}/_recall`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const idsOf = (answer: Reply['json']): string[] => answer.hits.map(({ id }: { id: string }) => id);

describe('modes', () => {
  test('recent: the last stored first, without a score', async () => {
    const answer = await recall({ k: 3 });
    expect(idsOf(answer)).toEqual(['m8', 'm7', 'm6']);
    expect(answer.hits[0]).toMatchObject({ score: null, text: '8: nothing of that' });
    expect(answer.not_shown).toEqual({ k: 6, expired: 0, superseded: 0, filter: 0 });
    expect(idsOf(await (await server.call('POST', '/_memory/talk/_recall')).json)[0]).toBe('m8');
  });

  test('words: BM25 as it is', async () => {
    const answer = await recall({ query: 'boats', k: 2 });
    expect(idsOf(answer)).toEqual(['m1', 'm4']);
    expect(answer.not_shown.k).toBe(4);
    const search = await server.call('POST', '/.svc-memory-talk/_search', {
      query: { match: { text: 'boats' } },
    });
    expect(answer.hits[0].score).toBe(search.json.hits.max_score);
  });

  test('vectors: (1 + cosine) / 2', async () => {
    const answer = await recall({ vector: [1, 0], query: 'ignored', semantic: true, k: 2 });
    expect(idsOf(answer)).toEqual(['m0', 'm1']);
    expect(answer.hits[0].score).toBe(1);
    expect(answer.hits[1].score).toBeCloseTo((1 + Math.SQRT1_2) / 2, 6);
    expect(answer.not_shown.k).toBe(7);
  });

  test('hybrid with a vector of the caller’s', async () => {
    // By words m1, m4 and m7 are the best and m0 is behind, by vectors m0 is the nearest.
    const all = await recall({ query: 'boat', vector: [1, 0], hybrid: true, context: false });
    expect(idsOf(all).slice(0, 2)).toEqual(['m0', 'm1']);
    expect(all.hits[0].score).toBeGreaterThan(all.hits[1].score);
    expect(idsOf(all)).toContain('m4');
  });

  test.each([
    ['words and meaning', { query: 'red boats again', hybrid: true }],
    ['words and a vector', { query: 'boat', vector: [1, 0], hybrid: true }],
  ])('hybrid: %s rank alike however few are asked for', async (_what, body) => {
    const all = await recall(body);
    for (let k = 1; k < 9; k++) {
      const { hits } = await recall({ ...body, k });
      expect(hits).toEqual(all.hits.slice(0, k));
    }
  });

  test('an unknown namespace has nothing, and does not come to be', async () => {
    expect(await recall({ query: 'x', graph: { mode: 'blend' } }, 'nobody')).toMatchObject({
      namespace: 'nobody',
      hits: [],
      no_edges_index: true,
    });
    expect((await server.call('GET', '/_memory/nobody')).json).toEqual({
      namespace: 'nobody',
      exists: false,
      count: 0,
      entries: [],
      not_shown: { limit: 0, expired: 0, superseded: 0 },
    });
  });
});

describe('what is let through', () => {
  test.each([
    [{}, 9],
    [{ query: 'boat' }, 6],
    [{ vector: [1, 1] }, 9],
  ])('a filter on metadata: %j', async (mode, matching) => {
    const filter = { term: { 'metadata.topic': 'odd' } };
    const answer = await recall({ ...mode, filter });
    for (const hit of answer.hits) expect(hit.metadata.topic).toBe('odd');
    expect(answer.hits.length + answer.not_shown.filter).toBe(matching);
    expect(answer.not_shown.k).toBe(0);
  });

  test('shown and not shown are all', async () => {
    const filter = { range: { 'metadata.said_at': { gte: 14 * DAY } } };
    for (const k of [1, 3, 9]) {
      const { hits, not_shown } = await recall({ query: 'boat', filter, k });
      expect(hits.length + not_shown.k + not_shown.filter).toBe(6);
    }
  });

  test('one of each session', async () => {
    const answer = await recall({ query: 'boat', collapse: 'metadata.session' });
    expect(answer.hits.map(({ metadata }: Reply['json']) => metadata.session).sort()).toEqual([
      's0',
      's1',
    ]);
    expect(answer.not_shown).toMatchObject({ k: 0, collapsed: 4 });
  });

  test('texts of some length', async () => {
    const answer = await recall({ max_chars: 44 });
    expect(idsOf(answer)).toEqual(['m8', 'm7']);
    expect(answer.not_shown).toMatchObject({ k: 0, max_chars: 7 });
    expect((await recall({ max_chars: 4, k: 1 })).hits[0].text).toBe('8: n');
  });
});

describe('recency', () => {
  test('weight 1 orders by the memories’ own time', async () => {
    const answer = await recall({ query: 'boat', recency_weight: 1 });
    expect(idsOf(answer)).toEqual(['m0', 'm1', 'm3', 'm4', 'm6', 'm7']);
    expect(answer.hits[0].score).toBe(1);
    expect(answer.hits[5].score).toBe(0);
  });

  test('weight 0 leaves scores alone', async () => {
    expect(await recall({ query: 'boat', recency_weight: 0 })).toEqual(
      await recall({ query: 'boat' }),
    );
  });

  test('is the sum that explain tells', async () => {
    const { hits } = await recall({ query: 'red boat', recency_weight: 0.3, explain: true });
    for (const { score, explanation } of hits) {
      const { relevance, recency } = explanation.parts;
      expect(relevance + recency).toBe(score);
      expect(relevance).toBeLessThanOrEqual(0.7);
    }
  });

  test('orders what has no score, too', async () => {
    expect(idsOf(await recall({ recency_weight: 0.5, k: 2 }))).toEqual(['m0', 'm1']);
  });
});

describe('the graph', () => {
  test('restrict: the seeds and what is near them', async () => {
    const graph = { mode: 'restrict', seeds: ['m0'] };
    const near = await recall({ graph });
    expect(idsOf(near)).toEqual(['m3', 'm0']);
    expect(near.graph).toMatchObject({ mode: 'restrict', seeds: ['m0'], hops: 1, reachable: 1 });
    expect(near.not_shown).toMatchObject({ k: 0, graph: 7 });
    expect(idsOf(await recall({ graph: { ...graph, hops: 2 } }))).toEqual(['m6', 'm3', 'm0']);
    expect(await recall({ graph: { ...graph, hops: 7 } })).toMatchObject({
      graph: { hops: 2, hops_asked: 7, reachable: 2 },
    });
    expect(idsOf(await recall({ graph: { ...graph, types: ['other'] } }))).toEqual(['m0']);
    expect(idsOf(await recall({ graph: { ...graph, as_of: 5 } }))).toEqual(['m0']);
  });

  test('blend: score over the best, plus weight times the seed’s score times the link', async () => {
    const plain = (await recall({ query: 'red boat', k: 9 })).hits;
    const best = plain[0].score;
    const base = new Map(plain.map(({ id, score }: Reply['json']) => [id, score / best]));
    const seeds = plain.slice(0, 5).map(({ id }: Reply['json']) => id);
    const answer = await recall({ query: 'red boat', k: 9, graph: { mode: 'blend', weight: 0.5 } });
    expect(answer.graph.seeds).toEqual(seeds);
    const number = (id: string) => Number(id.slice(1));
    for (const { id, score } of answer.hits) {
      // Memories of one session are linked in order: every third.
      const linked = seeds.filter((seed: string) => Math.abs(number(seed) - number(id)) === 3);
      const bonus = Math.max(0, ...linked.map((seed: string) => Number(base.get(seed))));
      expect(score).toBeCloseTo(Number(base.get(id) ?? 0) + 0.5 * bonus, 6);
    }
    const scores = answer.hits.map(({ score }: Reply['json']) => score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  });

  test('brings what the words do not find, unless the filter forbids it', async () => {
    const body = { query: 'red', graph: { mode: 'blend', seeds: ['m2'] }, explain: true };
    const answer = await recall(body);
    const brought = answer.hits.find(({ id }: Reply['json']) => id === 'm5');
    expect(brought.score).toBeCloseTo(0.3, 9);
    expect(brought.explanation).toMatchObject({
      base: { rank: null },
      graph: { seed: 'm2', hop: 1, strength: 1, share: 0.3 },
    });
    const filter = { term: { 'metadata.topic': 'even' } };
    expect(idsOf(await recall({ ...body, filter }))).not.toContain('m5');
  });

  test.each([{ vector: [1, 4] }])('blends with %j and recency', async (mode) => {
    const body = { ...mode, recency_weight: 0.2, graph: { mode: 'blend', hops: 2 } };
    const { hits } = await recall({ ...body, explain: true });
    expect(hits.length).toBe(9);
    for (const { score, explanation } of hits) {
      expect(explanation.parts.relevance + explanation.parts.recency).toBe(score);
    }
  });

  test('is left out where there are no links', async () => {
    await server.call('POST', '/_memory/lonely', { id: 'a', text: 'alone' });
    const graph = { mode: 'restrict', seeds: ['nobody'] };
    const answer = await recall({ query: 'alone', graph }, 'lonely');
    expect(answer).toMatchObject({ no_edges_index: true, hits: [{ id: 'a' }] });
    expect(answer.graph).toBeUndefined();
  });
});

describe('explanations', () => {
  test('name rank, words and parts of the score', async () => {
    const { hits } = await recall({ query: 'red boats, of course', k: 1, explain: true });
    expect(hits[0].explanation).toEqual({
      rank: 1,
      mode: 'query',
      base: { rank: 1, score: hits[0].score },
      matched_terms: expect.arrayContaining(['red', 'boats']),
      parts: { relevance: hits[0].score },
      own_time: expect.any(Number),
    });
    expect(hits[0].explanation.matched_terms).toHaveLength(2);
  });

  test('tell where any memory stands and why', async () => {
    const why = async (body: object, id: string) =>
      (await recall({ query: 'boat', k: 2, ...body, explain: { ids: [id] } })).explained[0];
    expect(await why({}, 'm1')).toMatchObject({ returned: true, reason: 'returned', rank: 1 });
    expect(await why({}, 'm6')).toMatchObject({ returned: false, reason: 'k' });
    expect((await why({}, 'm6')).rank).toBeGreaterThan(2);
    expect(await why({}, 'm2')).toEqual({ id: 'm2', returned: false, reason: 'no_match' });
    expect(await why({}, 'zz')).toEqual({ id: 'zz', returned: false, reason: 'unknown' });
    const filter = { term: { 'metadata.topic': 'odd' } };
    expect(await why({ filter }, 'm4')).toMatchObject({ reason: 'filter' });
    expect(await why({ as_of: 1 }, 'm4')).toMatchObject({ reason: 'not_yet' });
    expect(await why({ max_chars: 1 }, 'm4')).toMatchObject({ reason: 'max_chars', rank: 2 });
    expect(await why({ collapse: 'metadata.session' }, 'm4')).toMatchObject({
      reason: 'collapsed',
    });
    const graph = { mode: 'restrict', seeds: ['m0'] };
    expect(await why({ graph }, 'm4')).toMatchObject({ reason: 'graph' });
  });
});
