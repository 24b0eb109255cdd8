// A backend over the real addon in a temporary folder, for the integration tests. The worker file
// is the built one.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { LocalBackend } from '../../src/coordinator/node/local-backend.ts';
import { SearchWatch } from '../../src/coordinator/search/search-watch.ts';
import { EngineUse } from '../../src/coordinator/shards/engine-use.ts';
import { startPools } from '../../src/coordinator/shards/pools.ts';
import { loadAddon, NativeErrors } from '../../src/native/addon.ts';
import { InFlight } from '../../src/ops/in-flight.ts';
import { LiveConfig } from '../../src/ops/live-config.ts';
import { createLogger } from '../../src/ops/logger.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { Readiness } from '../../src/ops/readiness.ts';

export interface RealBackend {
  readonly backend: LocalBackend;
  readonly readiness: Readiness;
  readonly live: LiveConfig;
  readonly engineUse: EngineUse;
  readonly dataDir: string;
  /** Closes in an orderly way; the folder is kept. */
  close(): Promise<void>;
}

/** `dataDir`: an existing folder to use; `flags`: configuration. */
export async function openBackend(
  options: { readonly dataDir?: string; readonly flags?: Readonly<Record<string, string>> } = {},
): Promise<RealBackend> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'quarry-test-'));
  const { config } = loadConfig({
    flags: { 'logging.level': 'error', ...options.flags, 'data-dir': dataDir },
    environment: {},
  });
  const addon = loadAddon();
  const errors = new NativeErrors(addon);
  const readiness = new Readiness(() => performance.now());
  const pools = startPools(
    createRequire(import.meta.url).resolve('#worker'),
    { search: 2, write: 2, background: 1 },
    (failure) => errors.toError(failure.errorType, failure.message, failure.causedBy),
  );
  const metrics = new Metrics();
  const live = new LiveConfig(config);
  const inFlight = new InFlight({
    maxRequests: () => live.get('limits.max_requests'),
    maxBytes: () => live.get('limits.in_flight_bytes'),
    onRefusal: () => {},
  });
  const engineUse = new EngineUse(Date.now);
  const backend = new LocalBackend({
    rules: { checkDestructive: () => {}, checkAutoCreate: () => {}, checkShards: () => {} },
    watch: new SearchWatch({ metrics }),
    engineUse,
    resolveClauses: (request) => request,
    addon,
    errors,
    pools,
    readiness,
    live,
    guard: { check: () => {} },
    hold: () => inFlight.hold(),
    logger: createLogger('error'),
    metrics,
    bodyOfNew: () => ({}),
  });
  await backend.start();
  return { backend, readiness, live, engineUse, dataDir, close: () => backend.close() };
}

export function removeFolder(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
}

/** An NDJSON body that owns its memory, as the HTTP layer passes one. */
export function ndjson(...lines: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function parsed(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}
