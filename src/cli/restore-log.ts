// `quarry restore --to-time`: brings a data folder back as it was at a moment, from the log that
// its service shipped (snapshot.ship_log).
import { resolve } from 'node:path';
import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import { required } from './reading.js';
import type { VerbContext } from './verb.js';

/** Flags that are of snapshots only. */
const OF_SNAPSHOTS = ['name', 'indices', 'rename-pattern', 'rename-replacement', 'url'];

export async function restoreToTime(context: VerbContext): Promise<number> {
  const { values, print, progress } = context;
  const other = OF_SNAPSHOTS.find((flag) => values.has(flag));
  if (other !== undefined) {
    throw new ConfigError(
      `--${other} does not go with --to-time, which brings a whole folder back`,
    );
  }
  const place = required(context, 'from');
  const dataDir = resolve(required(context, 'data-dir'));
  const time = timeOf(values.get('to-time') ?? '');
  // A command that only sends requests does not load the service.
  const { restoreShippedLog } = await import('../main.js');
  const restored = await restoreShippedLog({
    place,
    region: values.get('region') ?? '',
    dataDir,
    time,
    id: values.get('history'),
    onProgress: (bytes, ofBytes) => progress?.(`${bytesText(bytes)} of ${bytesText(ofBytes)}`),
  });
  progress?.('');
  const { moment, until, indexes, bytes } = restored;
  if (context.json) {
    print(JSON.stringify({ ...restored, moment: isoOf(moment), until: isoOf(until) }));
    return 0;
  }
  print(`${dataDir} is as at ${isoOf(moment)}: ${indexes} indexes, ${bytesText(bytes)}`);
  if (until > moment) print(`nothing else was written until ${isoOf(until)}`);
  print(`start it: quarry serve --data-dir ${dataDir}`);
  return 0;
}

/** Epoch milliseconds; undefined for [latest]. */
function timeOf(text: string): number | undefined {
  if (text === 'latest') return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new ConfigError(`--to-time must be latest or like 2026-11-27T20:15:00Z, not [${text}]`);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
