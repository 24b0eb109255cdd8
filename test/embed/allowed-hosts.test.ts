// Allowed hosts of embeddings services: checked by name when an endpoint is defined, and by address
// when a connection is opened.
import { describe, expect, test } from 'vitest';
import { AllowedHosts } from '../../src/embed/allowed-hosts.ts';
import { type Lookup, OutboundClient } from '../../src/remote/exchange.ts';
import { startEmbeddingsService } from '../tools/embeddings-service.ts';

const allowed = (list: string, url: string): boolean => {
  try {
    new AllowedHosts(list).check(url, 'url');
    return true;
  } catch {
    return false;
  }
};

describe('a URL', () => {
  test.each([
    ['', 'http://localhost:1/', true],
    ['', 'http://LOCALHOST./', true],
    ['', 'http://127.0.0.1/', true],
    ['', 'http://127.9.9.9/', true],
    ['', 'http://[::1]:80/', true],
    ['', 'http://0x7f.1/', true],
    ['', 'http://[::ffff:127.0.0.1]/', true],
    ['', 'http://localhost.example.com/', false],
    ['', 'http://example.com/', false],
    ['', 'http://10.0.0.1/', false],
    ['', 'http://0.0.0.0/', false],
    ['', 'http://169.254.169.254/', false],
    ['', 'http://[::ffff:10.0.0.1]/', false],
    [' , ', 'http://localhost/', true],
    ['api.example.com', 'https://api.example.com/v1', true],
    ['API.example.com', 'https://api.EXAMPLE.com/v1', true],
    ['api.example.com', 'https://evil-api.example.com/', false],
    ['api.example.com', 'https://api.example.com.evil.org/', false],
    ['api.example.com', 'http://localhost/', false],
    ['*.example.com', 'https://api.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://badexample.com/', false],
    ['embed:8080', 'http://embed:8080/', true],
    ['embed:8080', 'http://embed/', false],
    ['embed:443', 'https://embed/', true],
    ['a, 10.0.0.0/8', 'http://10.1.2.3/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.0.0.0/8:80', 'http://10.0.0.1/', true],
    ['10.0.0.0/8:80', 'http://10.0.0.1:81/', false],
    ['10.0.0.0/8', 'http://ten.example.com/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['[fd00::/8]', 'http://[fd12::1]/', false],
    ['[fd12::1]:81', 'http://[fd12::1]:81/', true],
    ['[fd12::1]:81', 'http://[fd12::1]/', false],
  ])('with the list [%s]: %s is allowed: %s', (list, url, expected) => {
    if (list === '[fd00::/8]') expect(() => new AllowedHosts(list)).toThrowError('has the entry');
    else expect(allowed(list, url)).toBe(expected);
  });

  test.each([
    'http://localhost/v1',
    'http://localhost./v1',
    'http://127.0.0.2/v1',
    'http://[::1]/v1',
    'http://[::ffff:127.0.0.1]/v1',
    'http://2130706433/v1',
    'http://0x7f.1/v1',
    'http://0.0.0.0/v1',
  ])('%s is not allowed where requests need keys, unless it is listed', (url) => {
    expect(() => new AllowedHosts('', true).check(url, 'url')).toThrowError(
      'which is empty and allows none while [auth.enabled] is on',
    );
  });
  test.each([
    ['localhost', '127.0.0.1'],
    ['127.0.0.0/8', '::ffff:127.0.0.1'],
    ['[::1]', '::1'],
  ])('with keys and the list [%s] a connection to %s may be made', (list, address) => {
    expect(new AllowedHosts(list, true).objection('http://localhost/v1', address)).toBeUndefined();
  });
  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:2',
    '0.0.0.0',
    '169.254.1.1',
  ])('a listed name that resolves to %s is not connected to', (address) => {
    const hosts = new AllowedHosts('embed.example.com', true);
    expect(hosts.objection('http://embed.example.com/v1', address)).toContain('does not allow');
  });

  test('that is refused is told with the remedy', () => {
    expect(() => new AllowedHosts('').check('http://example.com/v1', 'url')).toThrowError(
      '[url] leads to host [example.com] and port [80], which the configuration does not allow: ' +
        'add it to [inference.allowed_hosts], which is empty and allows loopback only',
    );
  });

  test.each([
    'http://x',
    'a b',
    'a:0',
    'a:65536',
    '10.0.0.0/33',
    '::1/129',
    'name/8',
    '1.2.3',
    '*',
    '*.*.a',
    'a..b',
    '[::1',
  ])('cannot be judged by the entry [%s]', (entry) => {
    expect(() => new AllowedHosts(`localhost,${entry}`)).toThrowError(`has the entry [${entry}]`);
  });
});

describe('a name', () => {
  const objection = (list: string, address: string): string | undefined =>
    new AllowedHosts(list).objection('http://embed.example.com:81/v1', address);

  test.each([
    ['embed.example.com', '93.184.216.34', true],
    ['embed.example.com', '10.0.0.9', true],
    ['embed.example.com', '2001:db8::1', true],
    ['embed.example.com', '127.0.0.1', false],
    ['embed.example.com', '::1', false],
    ['embed.example.com', '::ffff:127.0.0.1', false],
    ['embed.example.com', '169.254.169.254', false],
    ['embed.example.com', 'fd00:ec2::254', false],
    ['embed.example.com', '0.0.0.0', false],
    ['embed.example.com', '224.0.0.1', false],
    ['embed.example.com,127.0.0.0/8', '127.0.0.1', true],
    ['embed.example.com:80', '93.184.216.34', false],
    ['10.0.0.0/8', '10.0.0.9', true],
    ['', '93.184.216.34', false],
    ['', '127.0.0.1', true],
  ])('with the list [%s] may stand for %s: %s', (list, address, expected) => {
    expect(objection(list, address) === undefined).toBe(expected);
  });
});

describe('a connection', () => {
  const post = async (hosts: string, addresses: readonly string[]) => {
    const service = await startEmbeddingsService();
    const lookup: Lookup = (_host, done) =>
      done(
        addresses.length === 0 ? Object.assign(new Error('no'), { code: 'ENOTFOUND' }) : null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    const poster = new OutboundClient(new AllowedHosts(hosts), lookup);
    try {
      return await poster.send({
        method: 'POST',
        url: `http://embed.example.com:${service.port}/v1/embeddings`,
        headers: {},
        body: '{"input":["a"]}',
        timeoutMs: 10_000,
        maxAnswerBytes: 10_000,
        signal: new AbortController().signal,
      });
    } finally {
      await poster.close();
      await service.stop();
    }
  };

  test('goes to the address that was judged', async () => {
    expect(await post('embed.example.com,127.0.0.1', ['127.0.0.1'])).toMatchObject({ status: 200 });
  });

  test.each([
    ['embed.example.com', ['127.0.0.1'], 'resolves to [127.0.0.1]'],
    [
      'embed.example.com,127.0.0.1',
      ['127.0.0.1', '169.254.169.254'],
      'resolves to [169.254.169.254]',
    ],
    ['', ['93.184.216.34'], 'resolves to [93.184.216.34]'],
    ['embed.example.com', [], 'ENOTFOUND'],
  ])('is not made with the list [%s] to %o', async (hosts, addresses, words) => {
    await expect(post(hosts, addresses)).rejects.toThrowError(words);
  });
});
