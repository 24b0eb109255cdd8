// Parameters of the URL under the names of other servers.
import { describe, expect, test } from 'vitest';
import { UrlParams } from '../../src/api/params.ts';

describe('cluster_manager_timeout', () => {
  test('is master_timeout', () => {
    const params = new UrlParams({ cluster_manager_timeout: '5s' });
    params.refuseUnknown(['master_timeout'], '/_template');
    expect(params.text('master_timeout')).toBe('5s');
  });

  test('is refused by its own name', () => {
    const params = new UrlParams({ cluster_manager_timeout: '5s' });
    expect(() => params.refuseUnknown(['refresh'], '/_bulk')).toThrow('[cluster_manager_timeout]');
  });

  test('is no name of every object', () => {
    const params = new UrlParams({ constructor: '1' });
    expect(params.has('constructor')).toBe(true);
  });
});
