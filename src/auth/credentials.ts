// Reads API keys from the Authorization header: `Bearer K`, `ApiKey K`, `ApiKey base64(id:key)`,
// and `Basic base64(id:key)` for clients that support nothing else. In a pair, the key may be the
// full printed key or only its secret.
import { type Credentials, isSecret, readKeyText } from './key-record.js';

const HEADER = /^([A-Za-z]+) +([^\s,]+) *$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const SCHEMES = ['bearer', 'apikey', 'basic'];
const MAX_LENGTH = 512;

/** Undefined if the header contains no key. */
export function readAuthorization(header: string): Credentials | undefined {
  const token = readToken(header, SCHEMES);
  if (token === undefined) return undefined;
  return readKeyText(token) ?? readPair(token);
}

/** The token of a `Bearer` header. */
export function readBearer(header: string): string | undefined {
  return readToken(header, ['bearer']);
}

function readToken(header: string, schemes: readonly string[]): string | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  const [, scheme = '', token] = HEADER.exec(header) ?? [];
  return schemes.includes(scheme.toLowerCase()) ? token : undefined;
}

function readPair(token: string): Credentials | undefined {
  if (!BASE64.test(token)) return undefined;
  const text = Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const [id, key] = [text.slice(0, colon), text.slice(colon + 1)];
  const whole = readKeyText(key);
  if (whole !== undefined) return whole.id === id ? whole : undefined;
  return isSecret(key) ? { id, secret: key } : undefined;
}
