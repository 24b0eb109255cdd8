// Answers of a cluster whose nodes leave, as the errors of this service.
import { describe, expect, test } from 'vitest';
import { clusterError, lostContext } from '../../src/cluster/errors.ts';
import type { ClusterAnswer } from '../../src/cluster/exchange.ts';
import { IndexNames } from '../../src/cluster/index-names.ts';

const names = new IndexNames('front-');

function answer(status: number, body: unknown): ClusterAnswer {
  return { status, body: Buffer.from(JSON.stringify(body)), retryAfter: undefined };
}

describe('an error of the cluster', () => {
  test('of a refresh that a copy could not do is 503 with the reason of that copy', () => {
    const reason = { type: 'illegal_state_exception', reason: 'primary term [2] is too old' };
    const failures = [{ shard: 0, index: 'front-a', status: 'INTERNAL_SERVER_ERROR', reason }];
    const shards = { total: 2, successful: 1, failed: 1, failures };
    expect(clusterError(answer(500, { _shards: shards }), names)).toMatchObject({
      status: 503,
      message: 'primary term [2] is too old',
    });
  });

  test.each([
    'node_closed_exception',
    'node_not_connected_exception',
    'receive_timeout_transport_exception',
  ])('of a node that leaves is 503: %s', (type) => {
    const own = clusterError(answer(500, { error: { type, reason: 'away' } }), names);
    expect([own.status, own.message]).toEqual([503, 'away']);
    expect(clusterError(answer(502, { error: { type, reason: 'away' } }), names).status).toBe(503);
    const roots = [{ type, reason: 'away' }];
    const error = { type: 'search_phase_execution_exception', reason: 'all', root_cause: roots };
    expect(clusterError(answer(500, { error }), names).status).toBe(503);
  });

  test('of a document whose text is no number has the cause that this service gives', () => {
    const cause = { type: 'number_format_exception', reason: 'For input string' };
    const of = (type: string): unknown =>
      clusterError(answer(400, { error: { type, reason: 'r', caused_by: cause } }), names).causedBy;
    expect(of('document_parsing_exception')).toEqual({
      ...cause,
      type: 'illegal_argument_exception',
    });
    expect(of('search_phase_execution_exception')).toEqual(cause);
  });

  test('of another kind keeps its status', () => {
    const error = { type: 'null_pointer_exception', reason: 'why' };
    expect(clusterError(answer(500, { error }), names).status).toBe(500);
    expect(clusterError(answer(500, { _shards: { total: 1 } }), names).status).toBe(500);
  });
});

describe('a context that the engine misses', () => {
  const body = {
    error: {
      type: 'search_phase_execution_exception',
      root_cause: [{ type: 'search_context_missing_exception' }],
    },
  };

  test('is no fault of a search that named indexes', () => {
    expect(lostContext('/front-a/_search', answer(404, body))?.status).toBe(503);
  });

  test('is one of a client that named a point in time', () => {
    expect(lostContext('/_search', answer(404, body))).toBeUndefined();
    expect(lostContext('/_search/scroll', answer(404, body))).toBeUndefined();
    expect(lostContext('/front-a/_search', answer(404, { error: {} }))).toBeUndefined();
  });
});
