import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HitsError, type HitsPage, readHitsPage } from '../../src/remote/hits-page.ts';

function read(text: string | Buffer, size = 10, withSource = true): HitsPage {
  const reading = readHitsPage(Buffer.from(text as string), size, withSource);
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  return step.value;
}

const page = (hits: string, more = ''): string =>
  `{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},${more}"hits":{"total":{"value":1},"hits":[${hits}]}}`;
const hit = (more: string): string => `{"_index":"a","_id":"1","_source":{}${more}}`;

describe('readHitsPage', () => {
  test('keeps the bytes of documents, whatever stands in them', () => {
    const source = '{ "a": 1.0, "b" :12345678901234567890,"c":"\\"}]{[","_source":{"x":[{}]}}';
    const { hits } = read(page(`{"_index":"a","_source" : ${source} ,"_id":"1","_version":3}`));
    expect(Buffer.from(hits[0]?.source ?? '').toString()).toBe(source);
    expect(hits[0]).toMatchObject({ index: 'a', id: '1', version: 3n });
  });

  test('finds every document again (property)', () => {
    const document = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ value }));
    const space = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.array(document, { maxLength: 8 }), space, (documents, gap) => {
        const hits = documents.map(
          (source, i) => `{"_id":${gap}"${i}","_source"${gap}:${gap}${source}${gap},"_index":"a"}`,
        );
        const found = read(page(hits.join(','))).hits;
        expect(found.map(({ source }) => Buffer.from(source ?? '').toString())).toEqual(documents);
      }),
    );
  });

  test('refuses an answer that breaks off, at every byte', () => {
    const whole = Buffer.from(page(hit(',"sort":["\\\\",1]')));
    for (let end = 0; end < whole.length; end++) {
      expect(() => read(whole.subarray(0, end)), `${end} bytes`).toThrow(HitsError);
    }
    expect(read(whole).hits).toHaveLength(1);
  });

  test.each([
    ['a list', '[]', 'the answer that is not an object'],
    ['no hits', '{"_shards":{}}', '[hits] that is not an object'],
    [
      'hits that are no list',
      '{"_shards":{},"hits":{"hits":{}}}',
      '[hits.hits] that is not a list',
    ],
    ['no shards', '{"hits":{"hits":[]}}', '[_shards] that is not an object'],
    ['a number as hit', page('1'), '[hits.hits[0]] that is not an object'],
    ['a number as id', page('{"_index":"a","_id":1,"_source":{}}'), '[hits.hits[0]._id]'],
    ['no index', page('{"_id":"1","_source":{}}'), '[hits.hits[0]._index]'],
    ['an object as routing', page(hit(',"_routing":{}')), '._routing]'],
    ['a fraction as version', page(hit(',"_version":1.5')), '._version]'],
    ['a huge version', page(hit(',"_version":99999999999999999999')), '._version]'],
    ['no document', page('{"_index":"a","_id":"1"}'), "didn't store _source"],
    ['a text as document', page('{"_index":"a","_id":"1","_source":"x"}'), 'not an object'],
    ['more hits than requested', page(Array(11).fill(hit('')).join(',')), '11 hits, more than'],
    ['a text as scroll', page('', '"_scroll_id":7,'), '[_scroll_id]'],
    ['a text as total', '{"_shards":{},"hits":{"total":"x","hits":[]}}', '[hits.total]'],
    [
      'no UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      'UTF-8',
    ],
    ['deep nesting', `{"hits":${'['.repeat(200_000)}`, 'no JSON'],
    ['much beside its documents', page('', `"a":"${'x'.repeat(2_000_000)}",`), 'bytes beside'],
  ])('refuses %s', (_, text, words) => {
    expect(() => read(text)).toThrow(HitsError);
    expect(() => read(text)).toThrow(words);
  });

  test('reports failed shards, also without a reason', () => {
    const { shards } = read('{"_shards":{"failed":1},"hits":{"hits":[]}}');
    expect(shards.failures).toHaveLength(1);
    const failures = '[{"shard":2,"index":"a","reason":{"type":"t","reason":"why"}}]';
    const reported = read(`{"_shards":{"failed":1,"failures":${failures}},"hits":{"hits":[]}}`);
    expect(reported.shards.failures).toEqual([
      { shard: 2, index: 'a', reason: { type: 't', reason: 'why' } },
    ]);
  });

  test('reads totals of all versions, and hits without documents on request', () => {
    expect(read('{"_shards":{},"hits":{"total":7,"hits":[]}}').total?.value).toBe(7);
    const { hits } = read(page('{"_index":"a","_id":"1","_seq_no":5}'), 10, false);
    expect(hits[0]).toEqual({ index: 'a', id: '1', score: null, seqNo: 5n });
  });
});
