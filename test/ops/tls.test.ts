// Checks of certificates and keys at the start.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadTls } from '../../src/ops/tls.ts';
import { makeCertificate } from '../tools/certificate.ts';

const NOW = Date.UTC(2026, 10, 21);
const folder = mkdtempSync(join(tmpdir(), 'quarry-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const good = makeCertificate(NOW, 365);
const cert = file('cert.pem', good.cert);
const key = file('key.pem', good.key);

test('a pair that fits is taken', () => {
  expect(loadTls(cert, key, NOW)).toEqual({
    options: { cert: Buffer.from(good.cert), key: Buffer.from(good.key), minVersion: 'TLSv1.2' },
  });
});

test('none is none', () => {
  expect(loadTls('', '', NOW)).toBeUndefined();
});

test.each([
  [29, 'replace it and restart'],
  [-0.5, 'ended at 2026-11-20T12:00:00.000Z, clients will refuse it'],
])('a certificate of %s days warns', (days, warning) => {
  const expiring = makeCertificate(NOW, days);
  const loaded = loadTls(file('soon.pem', expiring.cert), file('soon.key', expiring.key), NOW);
  expect(loaded?.warning).toContain(warning);
});

test.each<[string, string, string]>([
  [cert, '', '[tls.cert] is set, [tls.key] is missing'],
  ['', key, '[tls.key] is set, [tls.cert] is missing'],
  [join(folder, 'absent'), key, '[tls.cert] of'],
  [cert, join(folder, 'absent'), '[tls.key] of'],
  [file('text.pem', 'hello'), key, '[tls.cert] of'],
  [cert, file('text.key', 'hello'), '[tls.key] of'],
  [cert, cert, '[tls.key] of'],
  [cert, file('other.key', makeCertificate(NOW, 365).key), 'is not the key of the certificate'],
])('%s with %s is refused', (certPath, keyPath, reason) => {
  expect(() => loadTls(certPath, keyPath, NOW)).toThrowError(reason);
});
