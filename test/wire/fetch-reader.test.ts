// Fetch replies.
import { describe, expect, test } from 'vitest';
import { readFetchReply } from '../../src/wire/fetch-reader.ts';
import { expectGolden } from './golden.ts';
import { fetchError, fetched, nestedHits } from './reply-samples.ts';

const decoder = new TextDecoder();

describe('a fetch reply', () => {
  test('has golden bytes', async () => {
    await expectGolden(
      'fetch_reply',
      'a full document, one without source, one not found',
      fetched(),
    );
  });

  test('gives documents; what is empty is absent', () => {
    const reply = readFetchReply(fetched().buffer);
    const documents = reply.ok ? reply.documents : [];
    const { source, ...full } = documents[0] ?? {};
    expect(decoder.decode(source)).toBe('{"a": 1.0}');
    expect(full).toEqual({
      found: true,
      id: 'idé',
      version: 3n,
      seqNo: 17n,
      primaryTerm: 1,
      routing: 'r1',
      fields: '{"a":[1]}',
      ignored: '["b"]',
      ignoredValues: '{"b":["x"]}',
      matchedQueries: '["q"]',
      explanation: '{"value":1}',
      highlight: '{"a":["<em>"]}',
      nested: '{"field":"c","offset":1}',
      innerHits: [nestedHits()],
    });
    expect(documents[1]).toEqual({
      found: true,
      id: '2',
      version: 1n,
      seqNo: 0n,
      primaryTerm: 2,
      innerHits: [],
    });
    expect(documents[2]?.found).toBe(false);
  });

  test('says that the time was up before all were read and highlighted', () => {
    const bytes = fetched();
    bytes[12] = 1;
    const reply = readFetchReply(bytes);
    expect(reply.ok && reply.timedOut).toBe(true);
  });

  test('gives an error', () => {
    expect(readFetchReply(fetchError())).toEqual({
      ok: false,
      errorType: 22,
      reason: 'snapshot [7] is gone',
      cause: '',
    });
  });

  test('cut anywhere is refused', () => {
    const whole = fetched();
    for (let length = 0; length < whole.length; length++) {
      expect(() => readFetchReply(whole.slice(0, length))).toThrow('malformed');
    }
  });
});
