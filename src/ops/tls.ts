// TLS termination: the certificate and the key are read and checked once at the start; replacing
// them requires a restart.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

export interface TlsOptions {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
}

export interface LoadedTls {
  readonly options: TlsOptions;
  /** The warning for a certificate that has expired or expires soon. */
  readonly warning?: string;
}

const EXPIRY_WARNING_MS = 30 * 86_400_000;

/**
 * Undefined if neither is configured. Throws an error that names the configuration key if the pair
 * is invalid.
 */
export function loadTls(certPath: string, keyPath: string, nowMs: number): LoadedTls | undefined {
  if (certPath === '' && keyPath === '') return undefined;
  if (certPath === '') throw new Error('[tls.key] is set, [tls.cert] is missing');
  if (keyPath === '') throw new Error('[tls.cert] is set, [tls.key] is missing');
  const cert = readPart('tls.cert', certPath, (bytes) => new X509Certificate(bytes));
  const key = readPart('tls.key', keyPath, (bytes) => createPrivateKey(bytes));
  if (!cert.value.checkPrivateKey(key.value)) {
    throw new Error(`[tls.key] of [${keyPath}] is not the key of the certificate [${certPath}]`);
  }
  const options = { cert: cert.bytes, key: key.bytes, minVersion: 'TLSv1.2' } as const;
  try {
    createSecureContext(options);
  } catch (error) {
    throw new Error(`[tls.cert] of [${certPath}] cannot be used: ${(error as Error).message}`);
  }
  const ends = Date.parse(cert.value.validTo);
  if (ends - nowMs > EXPIRY_WARNING_MS) return { options };
  const until = new Date(ends).toISOString();
  const warning =
    ends <= nowMs
      ? `the certificate [${certPath}] ended at ${until}, clients will refuse it`
      : `the certificate [${certPath}] ends at ${until}, replace it and restart`;
  return { options, warning };
}

function readPart<T>(
  key: string,
  path: string,
  read: (bytes: Buffer) => T,
): { readonly bytes: Buffer; readonly value: T } {
  try {
    const bytes = readFileSync(path);
    return { bytes, value: read(bytes) };
  } catch (error) {
    throw new Error(`[${key}] of [${path}] cannot be read: ${(error as Error).message}`);
  }
}
