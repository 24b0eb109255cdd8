// Random histories of bulks into a field with a remote embedder, which rejects some texts, compared
// with a model of documents: every item succeeds or fails as the model allows, in its position;
// stored documents are complete.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddingsService,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { LONG } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const DIMS = 32;
let service: EmbeddingsService;
let server: TestServer;
beforeAll(async () => {
  service = await startEmbeddingsService({ dims: DIMS });
  service.behave(({ input }, honest) =>
    input.some((text) => text.includes('poison')) ? { status: 422 } : { body: honest() },
  );
  server = await startServer({ args: ['--inference.batch_size', '3'] });
});
afterAll(async () => {
  await server?.stop();
  await service.stop();
});

interface Doc {
  readonly text?: string;
  readonly tag?: number;
}
interface Operation {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly id: string;
  readonly doc: Doc;
}

const text = fc.constantFrom('red fox', 'blue whale', 'old owl', 'poison', 'poison frog', '');
const operation: fc.Arbitrary<Operation> = fc.record({
  op: fc.constantFrom('index', 'create', 'update', 'delete'),
  id: fc.constantFrom('a', 'b', 'c'),
  doc: fc.record({ text, tag: fc.nat(3) }, { requiredKeys: [] }),
});

function lines({ op, id, doc }: Operation): string {
  const action = JSON.stringify({ [op]: { _id: id } });
  if (op === 'delete') return `${action}\n`;
  return `${action}\n${JSON.stringify(op === 'update' ? { doc } : doc)}\n`;
}

/** The resulting document, and the possible statuses of the operation. */
function outcome({ op, doc }: Operation, present: Doc | undefined) {
  if (op === 'delete') return { next: undefined, status: present === undefined ? 404 : 200 };
  if (op === 'create' && present !== undefined) return { next: present, status: 409 };
  if (op === 'update' && present === undefined) return { next: present, status: 404 };
  const next = op === 'update' ? { ...present, ...doc } : doc;
  if (next.text?.includes('poison')) return { next: present, status: 502 };
  return { next, status: present === undefined ? 201 : 200 };
}

const unit = (vector: readonly number[]): number[] => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

let indexes = 0;

test('random bulks leave what the model has, with its vectors', { timeout: 240_000 }, async () => {
  const history = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(history, async (bulks) => {
      indexes += 1;
      const name = `history-${indexes}`;
      const endpoint = { url: service.url, model: 'm', dims: DIMS };
      const properties = { text: { type: 'semantic_text', inference_endpoint: endpoint } };
      await server.call('PUT', `/${name}`, { mappings: { properties } });
      const model = new Map<string, Doc>();
      for (const operations of bulks) await run(name, operations, model);
      await compare(name, model);
      await server.call('DELETE', `/${name}`);
    }),
    { numRuns: LONG ? 60 : 25 },
  );
});

async function run(name: string, operations: readonly Operation[], model: Map<string, Doc>) {
  const reply = await server.call('POST', `/${name}/_bulk`, operations.map(lines).join(''), {
    'content-type': 'application/x-ndjson',
  });
  expect(reply.status, reply.text).toBe(200);
  // After a failure, later operations of the request apply to another document than the one whose
  // texts were collected.
  const failed = new Set<string>();
  for (const [i, one] of operations.entries()) {
    const item = reply.json.items[i][one.op];
    expect(item._id).toBe(one.id);
    const { next, status } = outcome(one, model.get(one.id));
    if (item.status === 502) {
      failed.add(one.id);
      // A text without a vector is reported even for a document that would have been rejected for
      // another reason.
      if (status >= 400 && one.doc.text?.includes('poison')) continue;
    }
    if (item.status === 409 && status !== 409 && failed.has(one.id)) {
      expect(item.error.reason).toContain('send it again');
      continue;
    }
    expect(item.status, JSON.stringify([item, operations])).toBe(status);
    if (next === undefined) model.delete(one.id);
    else model.set(one.id, next);
  }
}

async function compare(name: string, model: ReadonlyMap<string, Doc>): Promise<void> {
  for (const id of ['a', 'b', 'c']) {
    const plain = await server.call('GET', `/${name}/_doc/${id}`);
    expect(plain.json._source).toEqual(model.get(id));
    const words = model.get(id)?.text;
    const vector = await server.call('GET', `/${name}/_doc/${id}?_source_includes=text_vector`);
    const stored = vector.json._source?.text_vector;
    if (words === undefined || words === '') expect(stored).toBeUndefined();
    else {
      const expected = unit(vectorOf(words, DIMS)).map((value) => expect.closeTo(value, 5));
      expect(unit(stored)).toEqual(expected);
    }
  }
}
