// URL parameters with the names that other servers use.
import { describe, expect, test } from 'vitest';
import { sourceParam, UrlParams } from '../../src/api/kit/params.ts';

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

describe('_source', () => {
  test.each([
    [
      { _source: 'id', _source_includes: 'qty' },
      { includes: ['qty'], excludes: [] },
    ],
    [
      { _source: 'id', _source_excludes: 'qty' },
      { includes: ['id'], excludes: ['qty'] },
    ],
    [
      { _source: 'true', _source_includes: 'qty' },
      { includes: ['qty'], excludes: [] },
    ],
    [{ _source: 'false', _source_includes: 'qty' }, false],
    [{ _source: 'true' }, true],
  ])('%j shows the fields that are included, if any are', (given, shown) => {
    expect(sourceParam(new UrlParams(given))).toEqual(shown);
  });
});
