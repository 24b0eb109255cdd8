// `quarry serve`: loads the configuration, runs the service, and handles the signals that reload
// and stop it.
import { checkBinding } from '../config/binding.js';
import type { LoadedConfig } from '../config/load.js';
import { startService } from '../main.js';
import { readConfig } from './configuration.js';
import { argumentsOf } from './reading.js';
import type { VerbContext } from './verb.js';

/** Resolves when the service has stopped; rejects if it could not start. */
export async function serve(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const load = (): LoadedConfig => readConfig(context);
  const loaded = load();
  const warning = checkBinding(loaded.config);
  const stopSignal = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
  const service = await startService({ loaded, reload: load, warnings: warning ? [warning] : [] });
  process.on('SIGHUP', () => service.reload());
  try {
    const early = service.ready.then(() => stopSignal);
    const signal = await Promise.race([stopSignal, early]);
    service.logger.info(`${signal} received, stopping`);
  } finally {
    await service.stop();
  }
  return 0;
}
