// Recall in context over real HTTP: function words, speakers and days beside the text, neighbours,
// sessions, phrases, their explanations, and what a filter keeps out of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await server.call('PUT', '/_memory/english', { analyzer: 'english' });
  for (const ns of ['talk', 'english']) await storeTalk(ns);
});
afterAll(async () => {
  await server?.stop();
});

const TALK: readonly (readonly [id: string, session: string, speaker: string, text: string])[] = [
  ['a1', 'a', 'Ann', 'Did you sell the old piano?'],
  ['a2', 'a', 'Bob', 'Yes, to Renate, for ninety euros.'],
  ['a3', 'a', 'Ann', 'That is a good price.'],
  ['b1', 'b', 'Bob', 'The choir sings on the pier every Monday evening.'],
  ['b2', 'b', 'Ann', 'What did she do there, what did she say, did she like what she did?'],
  ['b3', 'b', 'Bob', 'Old songs, and a red piano plays. I sold tickets for it.'],
  ['c1', 'c', 'Ann', 'A red boat is for sale at the harbor.'],
  ['c2', 'c', 'Bob', 'Who are you?'],
  ['c3', 'c', 'Ann', 'Nothing of that.'],
];

async function storeTalk(ns: string): Promise<void> {
  for (const [id, session, speaker, text] of TALK) {
    const metadata = { session, speaker, said_at: '2023-05-08T10:00:00Z', topic: session };
    const reply = await server.call('POST', `/_memory/${ns}`, { id, text, metadata });
    expect(reply.status, reply.text).toBe(201);
  }
}

async function recall(body: object, ns = 'talk'): Promise<Reply['json']> {
  const reply = await server.call('POST', `/_memory/${ns}/_recall`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

const idsOf = (answer: Reply['json']): string[] => answer.hits.map(({ id }: { id: string }) => id);

describe('function words', () => {
  test('new namespaces have the analyzer memory', async () => {
    const mapping = await server.call('GET', '/.svc-memory-talk/_mapping');
    const { properties } = mapping.json['.svc-memory-talk'].mappings;
    expect(properties.text.analyzer).toBe('memory');
  });

  test.each(['talk', 'english'])('%s: a question is asked by its content words', async (ns) => {
    const answer = await recall({ query: 'What did she do on the pier?', explain: true }, ns);
    expect(idsOf(answer)).toEqual(['b1']);
    expect(answer.hits[0].explanation.matched_terms).toEqual(['pier']);
  });

  test.each([
    'talk',
    'english',
  ])('%s: a question of function words alone keeps them', async (ns) => {
    expect(idsOf(await recall({ query: 'who are you' }, ns))[0]).toBe('c2');
  });

  test('the analyzer has a name for every index', async () => {
    const analyze = async (analyzer: string): Promise<string[]> => {
      const body = { analyzer, text: 'What did Caroline’s dogs do? 29.12.2023' };
      const reply = await server.call('POST', '/_analyze', body);
      return reply.json.tokens.map(({ token }: { token: string }) => token);
    };
    expect(await analyze('memory')).toEqual(['carolin', 'dog', '29', '12', '2023']);
    const put = await server.call('PUT', '/notes', {
      mappings: { properties: { text: { type: 'text', analyzer: 'memory' } } },
    });
    expect(put.status, put.text).toBe(200);
  });
});

describe('speaker and day beside the text', () => {
  test('find a memory whose text names neither', async () => {
    expect(idsOf(await recall({ query: 'Renate euros Monday May' }))[0]).toBe('a2');
    const byDay = await recall({ query: 'May 2023', k: 20 });
    expect(idsOf(byDay).sort()).toEqual(TALK.map(([id]) => id));
    const bySpeaker = await recall({ query: 'Bob', k: 20 });
    expect(idsOf(bySpeaker).sort()).toEqual(['a2', 'b1', 'b3', 'c2']);
  });

  test('the text stays as it was given, and an export does not show them', async () => {
    const [hit] = (await recall({ query: 'renate' })).hits;
    expect(hit.text).toBe('Yes, to Renate, for ninety euros.');
    expect(Object.keys(hit).sort()).toEqual(['id', 'metadata', 'score', 'stored_at', 'text']);
    const lines = (await server.call('GET', '/_memory/talk/_export')).text;
    expect(lines).toContain('Renate');
    expect(lines).not.toContain('said_by');
    const imported = await fetch(`${server.base}/_memory/copy/_import`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    expect(imported.status, await imported.text()).toBe(200);
    expect(idsOf(await recall({ query: 'Bob', k: 20 }, 'copy')).sort()).toEqual([
      'a2',
      'b1',
      'b3',
      'c2',
    ]);
    expect((await server.call('GET', '/_memory/copy/_export')).text).toBe(lines);
  });
});

const QUESTION = 'To whom did Bob sell the old piano?';

describe('the recipe', () => {
  test.each([
    { hybrid: true },
    { context: true },
  ])('%j finds the answer after the question', async (mode) => {
    const plain = await recall({ query: 'who sold the piano', k: 3 });
    expect(idsOf(plain)).not.toContain('a3');
    const answer = await recall({ query: QUESTION, k: 3, ...mode });
    expect(idsOf(answer)).toContain('a2');
    expect(idsOf(answer)[0]).toMatch(/^a/);
  });

  test('the parts of an explanation add up to the score', async () => {
    const { hits } = await recall({ query: QUESTION, hybrid: true, explain: true });
    expect(hits.length).toBeGreaterThan(3);
    for (const { score, explanation } of hits) {
      const { relevance, neighbours, session } = explanation.parts;
      expect(relevance + neighbours + session).toBeCloseTo(score, 9);
      const { words, semantic, phrase, speaker, neighbours: around } = explanation.context;
      expect(Math.min(words, semantic, phrase)).toBeGreaterThanOrEqual(0);
      expect([1, 1.3]).toContain(speaker);
      expect(around.every(({ share }: { share: number }) => share > 0)).toBe(true);
    }
    const question = hits.find(({ id }: { id: string }) => id === 'a1').explanation.context;
    expect(question.phrase).toBe(0.2);
    expect(question.speaker).toBe(1);
    expect(question.neighbours.map(({ id }: { id: string }) => id)).toEqual(['a2']);
    const answer = hits.find(({ id }: { id: string }) => id === 'a2').explanation.context;
    expect(answer.speaker).toBe(1.3);
    // What follows it has no word of the question, and so nothing to give.
    expect(answer.neighbours.map(({ id }: { id: string }) => id)).toEqual(['a1']);
  });

  test.each([
    'neighbours',
    'session',
    'speaker',
    'phrase',
  ])('%s: 0 takes the part off', async (part) => {
    const context = { [part]: 0 };
    const { hits } = await recall({ query: QUESTION, hybrid: true, context, explain: true });
    for (const { explanation } of hits) {
      const value = explanation.context[part];
      expect(part === 'speaker' ? value === 1 : (value.length ?? value) === 0).toBe(true);
    }
  });

  test('a namespace of former days has it too', async () => {
    const answer = await recall({ query: QUESTION, k: 3, hybrid: true }, 'english');
    expect(idsOf(answer)).toContain('a2');
  });

  test('recency, collapsing, a limit of characters and a page go with it', async () => {
    const all = await recall({ query: QUESTION, hybrid: true });
    const sessions = await recall({ query: QUESTION, hybrid: true, collapse: 'metadata.session' });
    expect(sessions.hits.map((hit: Reply['json']) => hit.metadata.session).sort()).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(sessions.hits[0].id).toBe(idsOf(all)[0]);
    const recent = await recall({ query: QUESTION, hybrid: true, recency_weight: 0.2 });
    expect(recent.hits).toHaveLength(all.hits.length);
    const short = await recall({ query: QUESTION, hybrid: true, max_chars: 60 });
    expect(short.hits.length).toBeLessThan(all.hits.length);
  });

  test('memories outside of the filter give no neighbours and no session', async () => {
    const filter = { terms: { 'metadata.speaker': ['Bob'] } };
    const { hits } = await recall({ query: QUESTION, hybrid: true, filter, explain: true });
    expect(hits.map(({ metadata }: Reply['json']) => metadata.speaker)).not.toContain('Ann');
    for (const { id, explanation } of hits) {
      expect(explanation.context.neighbours).toEqual([]);
      // Of session a only the memory with "Renate" is left, which has no word of the question.
      if (id === 'a2') expect(explanation.parts.session).toBe(0);
    }
  });

  test('neighbours that a blend brings have the score of their words and meaning', async () => {
    const graph = { mode: 'blend', seeds: ['a2'] };
    const body = { query: 'good price', hybrid: true, context: false, graph, explain: true, k: 20 };
    const { hits } = await recall(body);
    const brought = hits.find(({ id }: { id: string }) => id === 'a3');
    expect(brought.explanation.parts.relevance).toBeGreaterThan(0.5);
  });

  test('explains why a memory is not there', async () => {
    const explain = { ids: ['a1', 'c3', 'nobody'] };
    const { explained } = await recall({ query: QUESTION, hybrid: true, k: 1, explain });
    expect(explained.map(({ reason }: { reason: string }) => reason)).toEqual([
      expect.stringMatching(/returned|k/),
      expect.stringMatching(/k|pool/),
      'unknown',
    ]);
  });
});

describe('whole texts', () => {
  test('rank a long memory, and no passage of it', async () => {
    const filler = Array.from({ length: 400 }, (_, i) => `topic${i % 40}`).join(' ');
    const long = `${'walnut bread recipe '.repeat(30)} ${filler}`;
    await server.call('POST', '/_memory/long', { id: 'long', text: long });
    const query = 'walnut bread recipe';
    const { hits } = await recall({ query, semantic: true }, 'long');
    const search = async (passages: boolean): Promise<number> => {
      const semantic = { field: 'text', query, passages };
      const body = { query: { semantic }, _source: false };
      return (await server.call('POST', '/.svc-memory-long/_search', body)).json.hits.max_score;
    };
    expect(hits[0].score).toBe(await search(false));
    expect(hits[0].score).toBeLessThan(await search(true));
  });
});
