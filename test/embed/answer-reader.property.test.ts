// The reader of service responses with arbitrary input: it returns a complete result or a reason,
// and nothing else.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerError, readEmbeddings } from '../../src/embed/answer-reader.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value) ?? '');
/** Without negative zero, which JSON does not have. */
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const vector = fc
  .array(float, { minLength: 1, maxLength: 6 })
  .filter((numbers) => numbers.reduce((sum, one) => sum + one * one, 0) > 0);
const base64 = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

/** The result of the reader; any other error fails the test. */
function read(body: Uint8Array, texts: number, dims?: number) {
  try {
    return readEmbeddings(body, texts, dims);
  } catch (error) {
    expect(error).toBeInstanceOf(AnswerError);
    expect((error as Error).message.length).toBeLessThan(500);
    return undefined;
  }
}

function expectWhole(results: ReturnType<typeof read>, texts: number): void {
  if (results === undefined) return;
  expect(results.length).toBe(texts);
  const lengths = new Set<number>();
  for (const result of results) {
    if (typeof result === 'string') continue;
    lengths.add(result.length);
    expect(result.every(Number.isFinite)).toBe(true);
    expect(result.some((value) => value !== 0)).toBe(true);
  }
  expect(lengths.size).toBeLessThanOrEqual(1);
}

describe('the reader of answers', () => {
  test('reads what honest services write, numbers or base64, in any order', () => {
    const answers = fc.integer({ min: 1, max: 5 }).chain((dims) =>
      fc.array(
        fc.tuple(
          fc
            .array(float, { minLength: dims, maxLength: dims })
            .filter((one) => one.some((x) => x * x > 0)),
          fc.boolean(),
          fc.nat(),
        ),
        { minLength: 1, maxLength: 6 },
      ),
    );
    fc.assert(
      fc.property(answers, (rows) => {
        const data = rows.map(([numbers, packed], index) => ({
          index,
          embedding: packed ? base64(numbers) : numbers,
        }));
        const order = data
          .map((_, i) => i)
          .sort((a, b) => (rows[a]?.[2] ?? 0) - (rows[b]?.[2] ?? 0));
        const body = bytes({ data: order.map((i) => data[i]) });
        expect(read(body, rows.length)).toEqual(
          rows.map(([numbers]) => Float32Array.from(numbers)),
        );
      }),
    );
  });

  test('survives any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 4 }), (value, texts) => {
        expectWhole(read(bytes(value), texts), texts);
        expectWhole(read(bytes({ data: value }), texts), texts);
      }),
    );
  });

  test('survives answers that are almost right', () => {
    const odd = fc.oneof(
      vector,
      vector.map(base64),
      fc.string(),
      fc.constant(null),
      fc.array(fc.oneof(fc.double(), fc.constant(null), fc.string())),
    );
    const place = fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constant(undefined), fc.double());
    const item = fc.oneof(fc.record({ index: place, embedding: odd }), fc.jsonValue());
    const dims = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), dims, (data, length) => {
        const results = read(bytes({ data }), 3, length);
        expectWhole(results, 3);
        for (const one of results ?? []) {
          if (typeof one !== 'string' && length !== undefined) expect(one.length).toBe(length);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('survives any bytes, and an answer cut anywhere', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => expectWhole(read(body, 1), 1)),
    );
    const whole = bytes({
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: 'AACAPwAAAEA=' },
      ],
    });
    for (let end = 0; end < whole.length; end++)
      expect(read(whole.slice(0, end), 2)).toBeUndefined();
    expect(read(whole, 2)).toEqual([new Float32Array([1, 2]), new Float32Array([1, 2])]);
  });

  test('is not led into deep nesting', () => {
    expect(read(Buffer.from('['.repeat(200_000)), 1)).toBeUndefined();
    expect(read(Buffer.from(`{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`), 1)).toBeDefined();
  });
});
