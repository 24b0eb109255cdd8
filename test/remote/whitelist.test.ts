import { describe, expect, test } from 'vitest';
import { RemoteWhitelist } from '../../src/remote/whitelist.ts';

const listed = (list: string, url: string): boolean => {
  try {
    new RemoteWhitelist(list).check(url);
    return true;
  } catch {
    return false;
  }
};

describe('the list of remotes', () => {
  test.each([
    ['', 'http://127.0.0.1:9200', false],
    ['otherhost:9200', 'http://otherhost:9200', true],
    ['otherhost:9200', 'http://OTHERHOST:9200/es', true],
    ['otherhost:9200', 'http://otherhost:9201', false],
    ['otherhost:9200', 'http://otherhost.example.com:9200', false],
    ['a:1, otherhost:9200', 'https://otherhost:9200', true],
    ['127.0.10.*:9200', 'http://127.0.10.7:9200', true],
    ['127.0.10.*:9200', 'http://127.0.11.7:9200', false],
    ['localhost:*', 'http://localhost:1234', true],
    ['[::1]:9200', 'http://[0:0:0:0:0:0:0:1]:9200', true],
    ['127.0.0.1:9200', 'http://127.1:9200', true],
    ['127.0.0.1:9200', 'http://[::ffff:127.0.0.1]:9200', true],
    ['example.com:443', 'https://example.com:443', true],
  ])('[%s] and %s: %s', (list, url, expected) => {
    expect(listed(list, url)).toBe(expected);
  });

  test.each([
    ['otherhost', 'expected host:port'],
    ['http://otherhost:9200', 'expected host:port'],
    ['*:*', 'every host'],
    ['[*]:*', 'every host'],
    ['*', 'expected host:port'],
  ])('refuses the entry [%s]', (list, words) => {
    expect(() => new RemoteWhitelist(list)).toThrow(words);
  });

  test('does not let a listed name lead to this machine or to metadata services', () => {
    const list = new RemoteWhitelist('peer.example.com:9200,localhost:9200');
    const url = 'http://peer.example.com:9200/_search';
    expect(list.objection(url, '10.1.2.3')).toBeUndefined();
    for (const address of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '0.0.0.0']) {
      expect(list.objection(url, address)).toContain(
        'which [reindex.remote.whitelist] does not allow',
      );
    }
    expect(list.objection('http://localhost:9200', '127.0.0.1')).toBeUndefined();
    expect(list.objection('http://localhost:9200', '10.1.2.3')).toBeUndefined();
    const both = new RemoteWhitelist('peer.example.com:9200,127.0.0.1:9200');
    expect(both.objection(url, '127.0.0.1')).toBeUndefined();
  });
});
