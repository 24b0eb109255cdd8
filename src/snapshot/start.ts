// Creates the snapshot service of a node from its configuration.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Backend,
  IndexCopies,
  IndexTemplates,
  InferenceEndpoints,
  SearchTemplates,
} from '../backend/index.js';
import type { LiveConfig } from '../ops/live-config.js';
import type { Logger } from '../ops/logger.js';
import type { Metrics } from '../ops/metrics.js';
import { inferencePart, searchTemplatesPart, templatesPart } from './global-state.js';
import { AllowedPlaces } from './s3/place.js';
import { Snapshots } from './snapshots.js';

export interface StartOptions {
  readonly backend: Backend;
  readonly inference: InferenceEndpoints;
  readonly templates: IndexTemplates;
  readonly searchTemplates: SearchTemplates;
  readonly copies: IndexCopies;
  readonly live: LiveConfig;
  readonly version: string;
  readonly nodeId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onRestored: () => Promise<void>;
}

/** 16 bytes give the length and alphabet of Elasticsearch's uuids. */
const UUID_BYTES = 16;

export function startSnapshots(options: StartOptions): Snapshots {
  const { backend, inference, templates, searchTemplates, copies } = options;
  const { live, version, nodeId, logger, metrics, onRestored } = options;
  return new Snapshots({
    backend,
    copies,
    globalState: [
      inferencePart(inference),
      templatesPart(templates),
      searchTemplatesPart(searchTemplates),
    ],
    dataDir: live.get('data_dir'),
    roots: live
      .get('snapshot.path')
      .split(',')
      .map((folder) => folder.trim())
      .filter((folder) => folder !== ''),
    places: new AllowedPlaces(live.get('snapshot.s3_places')),
    environment: (name) => process.env[name],
    rate: () => live.get('snapshot.max_bytes_per_sec'),
    reserveBytes: live.get('disk.reserve_bytes'),
    version,
    nodeId,
    newUuid: () => randomBytes(UUID_BYTES).toString('base64url'),
    nowMs: Date.now,
    random: Math.random,
    pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => {}),
    after: (ms, run) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
    onRestored,
    onFailure: (what, err) => logger.error({ err }, what),
    onEnded: (kind, outcome, ms) => metrics.snapshotSeconds.observe({ kind, outcome }, ms / 1000),
  });
}
