// Link detection over real HTTP and the real engine: links found in documents, accepted proposals,
// verified quotes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

const NOTES: Readonly<Record<string, object>> = {
  harbour: {
    title: 'Harbour Plan',
    body: 'Grüße! See [[Ferry Terminal]] – it fixes #7.',
    date: '2024-05-01',
  },
  ferry: { title: 'Ferry Terminal', body: 'This supersedes [the old one](quay).' },
  quay: { title: 'Old Quay', body: 'The Harbour Plan was ours.', emb: [1, 2] },
  'issue-7': { number: 7, title: 'Too small' },
};

beforeAll(async () => {
  server = await startServer();
  const mappings = { properties: { emb: { type: 'dense_vector', dims: 2 } } };
  await call('PUT', '/notes', { mappings });
  await bulk(
    server,
    '/notes/_bulk',
    Object.entries(NOTES).flatMap(([_id, note]) => [
      JSON.stringify({ index: { _id } }),
      JSON.stringify(note),
    ]),
  );
  await call('PUT', '/_graph/n', { nodes_index: 'notes' });
});
afterAll(async () => {
  await server?.stop();
});

async function call(method: string, path: string, body?: unknown, status = 200): Promise<Reply> {
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text).toBe(status);
  return reply;
}

describe('links in documents', () => {
  test('are shown by a dry run, and are not there', async () => {
    const { json } = await call('POST', '/_graph/n/detect', { dry_run: true });
    expect(json).toMatchObject({ brain: 'n', dry_run: true, links: { found: 3, created: 0 } });
    expect(
      json.found.map(({ src, type, dst }: Record<string, string>) => [src, type, dst]),
    ).toEqual(expect.arrayContaining([['ferry', 'supersedes', 'quay']]));
    await call('GET', '/.svc-memory-n-edges', undefined, 404);
  });

  test('are found, once', async () => {
    expect((await call('GET', '/_graph/n/detect')).json.result.dry_run).toBe(true);
    const { json } = await call('POST', '/_graph/n/detect');
    expect(json).toMatchObject({
      documents: 4,
      searched: 4,
      links: { found: 3, created: 3, known: 0 },
      suggestions: { found: 1, created: 1 },
    });
    expect(json.detectors).toContainEqual({ detector: 'wiki-links@1', links: 1, suggestions: 0 });
    const again = await call('POST', '/_graph/n/detect');
    expect(again.json).toMatchObject({
      links: { created: 0, known: 3 },
      suggestions: { created: 0 },
    });
    const { json: ego } = await call('GET', '/_graph/n/ego?node=harbour');
    expect(ego.links).toMatchObject([
      { type: 'references', dst: 'ferry', valid_at: Date.parse('2024-05-01'), asserted: false },
      { type: 'fixes', dst: 'issue-7', evidence: { quote: 'fixes #7', source: 'harbour' } },
    ]);
    const { evidence } = ego.links[0];
    const text = Buffer.from((NOTES['harbour'] as { body: string }).body);
    expect(text.subarray(evidence.offset).toString().startsWith('[[Ferry Terminal]]')).toBe(true);
    const overview = await call('GET', '/_graph/n/overview');
    expect(overview.json.links).toMatchObject({ live: 3, asserted: 0, detected: 3 });
  });

  test('are looked for in the background as well', async () => {
    const { json } = await call('POST', '/_graph/n/detect?wait_for_completion=false');
    expect(json).toMatchObject({ brain: 'n', running: true });
    await expect
      .poll(async () => (await call('GET', '/_graph/n/detect')).json, { timeout: 20_000 })
      .toMatchObject({
        running: false,
        phase: 'done',
        searched: 4,
        result: { links: { known: 3 } },
      });
    expect((await call('GET', '/_graph/never/detect')).json).toEqual({
      brain: 'never',
      running: false,
    });
  });
});

describe('proposals', () => {
  test('are used by nothing until somebody accepts them', async () => {
    const { json } = await call('GET', '/_graph/n/suggestions?types=mentions&detectors=titles@1');
    expect(json).toMatchObject({ total: 1, not_shown: 0 });
    const [{ id, ...rest }] = json.suggestions;
    expect(rest).toMatchObject({
      src: 'quay',
      dst: 'harbour',
      confidence: 0.8,
      state: 'suggested',
    });
    expect((await call('GET', '/_graph/n/ego?node=quay')).json.links).toHaveLength(1);
    const { json: accepted } = await call('POST', `/_graph/n/suggestions/${id}/accept`);
    expect(accepted).toEqual({ brain: 'n', id, state: 'accepted', changed: true, edge_id: id });
    expect((await call('GET', '/_graph/n/ego?node=quay')).json.links).toMatchObject([
      {},
      { edge_id: id, type: 'mentions' },
    ]);
    await call('POST', `/_graph/n/suggestions/${id}/reject`, undefined, 409);
    expect((await call('GET', '/_graph/n/suggestions?state=accepted')).json.total).toBe(1);
    expect((await call('GET', '/_graph/n/suggestions')).json.total).toBe(0);
  });
});

test('quotes are verified against the present texts', async () => {
  expect((await call('POST', '/_graph/n/verify')).json).toMatchObject({ checked: 4, ok: 4 });
  await call('POST', '/notes/_update/ferry', { doc: { body: 'Nothing any more.' } });
  const { json } = await call('POST', '/_graph/n/verify', { types: ['supersedes'] });
  expect(json).toMatchObject({ checked: 1, stale: 1, marked: 1, links: [{ source: 'ferry' }] });
  const [link] = (await call('GET', '/_graph/n/ego?node=ferry&types=supersedes')).json.links;
  expect(link.evidence.stale_at).toBeGreaterThan(0);
});
