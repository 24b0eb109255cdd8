// Request ids: a well-formed id of a client is used, and log lines contain it.
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { parseTraceParent, RequestContexts } from '../../src/ops/request-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [` 00-${TRACE}-${SPAN}-03 `, true],
    [`01-${TRACE}-${SPAN}-01-of-a-later-version`, true],
  ])('%s is read', (header, sampled) => {
    expect(parseTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  test.each([
    '',
    'x',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\nX-Evil: 1`,
  ])('%o is ignored', (header) => {
    expect(parseTraceParent(header)).toBeUndefined();
  });
});

describe('the context of a request', () => {
  test('has the trace id that was sent, or an id of its own', () => {
    const contexts = new RequestContexts();
    const sent = contexts.open({ traceParent: `00-${TRACE}-${SPAN}-01` });
    expect(sent.requestId).toBe(TRACE);
    const [a, b] = [contexts.open({}), contexts.open({ traceParent: 'nonsense' })];
    expect(a.requestId).toMatch(/^[\da-f]{32}$/);
    expect(b.requestId).not.toBe(a.requestId);
    expect(contexts.open({ opaqueId: 'x'.repeat(1000) }).opaqueId).toHaveLength(256);
  });

  test('follows promises, side by side', async () => {
    const contexts = new RequestContexts();
    const lines: { request_id?: string; msg: string }[] = [];
    const logger = pino(
      { mixin: () => contexts.logMembers() },
      new Writable({
        write(chunk, _encoding, done) {
          lines.push(JSON.parse(String(chunk)));
          done();
        },
      }),
    );
    const work = async (name: string): Promise<string> => {
      await turn();
      logger.info(name);
      return contexts.current?.opaqueId ?? '';
    };
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => contexts.run(contexts.open({ opaqueId: name }), () => work(name))),
    );
    expect([a, b]).toEqual(['a', 'b']);
    await work('outside');
    expect(lines).toMatchObject([
      { msg: 'a', opaque_id: 'a', request_id: expect.any(String) },
      { msg: 'b', opaque_id: 'b' },
      { msg: 'outside' },
    ]);
    expect(lines[2]).not.toHaveProperty('request_id');
  });
});
