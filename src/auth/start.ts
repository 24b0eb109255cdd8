// Loads the keys of a server according to its configuration.
import type { Config } from '../config/schema.js';
import type { AuditLog } from '../ops/audit.js';
import type { Logger } from '../ops/logger.js';
import { keyFile } from './key-file.js';
import { KeyRing } from './key-ring.js';

export interface StartKeysOptions {
  readonly config: Config;
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

/** Undefined if keys are not required. */
export async function startKeys(options: StartKeysOptions): Promise<KeyRing | undefined> {
  const { config, audit, logger, nowMs } = options;
  if (!config['auth.enabled']) return undefined;
  const path = keyFile(config['data_dir']);
  const keys = new KeyRing({
    path,
    nowMs,
    onError: (error) => logger.error({ err: error }, 'the keys stay as they were'),
    onRefusal: ({ id, name }, index) =>
      audit.write({ event: 'index_refused', outcome: 'denied', key: { id, name }, index }),
  });
  await keys.reload();
  if (keys.size === 0) {
    logger.warn(`there are no keys in [${path}], every request is refused: quarry keys create`);
  }
  return keys;
}
