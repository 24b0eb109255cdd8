// Creates a self-signed certificate for `localhost` and its key, encoded by hand as X.509, because
// a file in the repository would expire.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const ALT_NAME = '551d11';

/** Valid from one day before `now` for `days` days, which may be negative. */
export function makeCertificate(now: number, days: number): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_SHA256));
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('localhost')))));
  const altNames = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(now - 86_400_000), time(now + days * 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid(ALT_NAME), der(0x04, altNames)))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { cert: pem('CERTIFICATE', whole), key: keyPem(privateKey) };
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function pem(what: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${what}-----\n${lines}\n-----END ${what}-----\n`;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return der(0x31, part);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]));
}

/** YYYYMMDDHHMMSSZ. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${text}Z`));
}
