// The cluster settings that were set, and their effects. Persistent ones are stored in
// cluster-settings.json of the data folder; transient ones last until the process ends and take
// precedence.

import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../backend/index.js';
import { isCode, readChecked, writeChecked } from '../base/durable-file.js';
import { parseTime } from '../base/units.js';
import { wildcardMatch } from '../base/wildcard.js';
import { QuarryError } from '../errors.js';
import {
  AUTO_CREATE,
  type ClusterValue,
  clusterSettingNames,
  clusterSettingRow,
  DESTRUCTIVE,
  MAX_BUCKETS,
  MAX_KEEP_ALIVE,
  MAX_SCROLLS,
  MAX_SHARDS,
  patternsOf,
} from './cluster-setting-rows.js';
import type { LiveConfig } from './live-config.js';

export type Level = 'persistent' | 'transient';
/** Values by full name. */
export type ClusterValues = ReadonlyMap<string, ClusterValue>;
/** A null value removes a setting; its name may then end with `*`. */
export type ClusterChange = readonly (readonly [string, ClusterValue | null])[];

/** Format number of the file. */
const FORMAT = 1;
const HOUR_MS = 3_600_000;

export class ClusterSettings {
  readonly #path: string;
  readonly #live: LiveConfig;
  #persistent = new Map<string, ClusterValue>();
  #transient = new Map<string, ClusterValue>();
  /** Serialises changes. */
  #last: Promise<unknown> = Promise.resolve();
  #damage: string | undefined;

  constructor(path: string, live: LiveConfig) {
    this.#path = path;
    this.#live = live;
  }

  /**
   * Reads the file, if it exists. Returns a description of the damage if it cannot be read;
   * persistent settings can then not be changed.
   */
  async load(): Promise<string | undefined> {
    try {
      this.#persistent = readStored(await readChecked(this.#path));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      this.#damage = `the cluster settings [${this.#path}] cannot be read: ${(error as Error).message}`;
    }
    this.#apply();
    return this.#damage;
  }

  of(level: Level): ClusterValues {
    return level === 'persistent' ? this.#persistent : this.#transient;
  }

  /** The defaults of settings that are not set. */
  defaults(): ClusterValues {
    const { base } = this.#live;
    const configured: Readonly<Record<string, string>> = {
      [MAX_BUCKETS]: String(base['search.max_buckets']),
      [MAX_SCROLLS]: String(base['search.max_open_contexts']),
      [MAX_KEEP_ALIVE]: printMs(base['search.max_keep_alive_ms']),
    };
    return new Map(
      clusterSettingNames().flatMap((name) => {
        const unset = configured[name] ?? clusterSettingRow(name)?.unset;
        return unset === undefined || this.#value(name) !== undefined
          ? []
          : [[name, unset] as const];
      }),
    );
  }

  /** Applies all changes, or none if one of them is invalid. */
  change(changes: Readonly<Record<Level, ClusterChange>>): Promise<void> {
    const next = this.#last.then(() => this.#change(changes));
    this.#last = next.catch(() => {});
    return next;
  }

  async #change(changes: Readonly<Record<Level, ClusterChange>>): Promise<void> {
    const persistent = changed('persistent', this.#persistent, changes.persistent);
    const transient = changed('transient', this.#transient, changes.transient);
    if (!isDeepStrictEqual(persistent, this.#persistent)) {
      if (this.#damage !== undefined) {
        throw new QuarryError('store_exception', `${this.#damage}; move it away and start again`);
      }
      await writeChecked(this.#path, { format: FORMAT, settings: Object.fromEntries(persistent) });
    }
    this.#persistent = persistent;
    this.#transient = transient;
    this.#apply();
  }

  /**
   * Throws illegal_argument_exception if `expression` contains wildcards or names all indexes while
   * destructive operations require concrete names.
   */
  checkDestructive(expression: string): void {
    if (this.#value(DESTRUCTIVE) !== 'true') return;
    const parts = expression.split(',');
    const isWide = parts.some((part) => part === '' || part === '_all' || part.includes('*'));
    if (!isWide) return;
    throw new QuarryError(
      'illegal_argument_exception',
      'Wildcard expressions or all indices are not allowed',
    );
  }

  /**
   * Throws if a write may not create an index of that name. Indexes of the service itself are
   * always permitted.
   */
  checkAutoCreate(name: string): void {
    const value = this.#value(AUTO_CREATE);
    if (value === undefined || value === 'true' || name.startsWith('.svc-')) return;
    const why = refusalOf(name, value);
    if (why === undefined) return;
    throw new QuarryError(
      'index_not_found_exception',
      `no such index [${name}] and [${AUTO_CREATE}] ${why}`,
      { extra: { index_uuid: '_na_', index: name } },
    );
  }

  /**
   * Throws if the limit of open shards would be exceeded. `openNow` returns the number of shards of
   * open indexes; `more` is the number of shards to be created or opened.
   */
  checkShards(openNow: () => number, more: number): void {
    const most = this.#value(MAX_SHARDS);
    if (most === undefined) return;
    const open = openNow();
    if (open + more <= Number(most)) return;
    throw new QuarryError(
      'validation_exception',
      `Validation Failed: 1: this action would add [${more}] shards, but this cluster currently has [${open}]/[${most}] maximum normal shards open;`,
    );
  }

  #value(name: string): ClusterValue | undefined {
    return this.#transient.get(name) ?? this.#persistent.get(name);
  }

  /** Applies the settings that override the configuration. */
  #apply(): void {
    const number = (name: string): number | undefined => {
      const value = this.#value(name);
      return value === undefined ? undefined : Number(value);
    };
    const keepAlive = this.#value(MAX_KEEP_ALIVE);
    this.#live.override({
      'search.max_buckets': number(MAX_BUCKETS),
      'search.max_open_contexts': number(MAX_SCROLLS),
      'search.max_keep_alive_ms':
        keepAlive === undefined ? undefined : parseTime(String(keepAlive), MAX_KEEP_ALIVE),
    });
  }
}

/** Undefined if the index may be created. The first pattern that matches decides. */
function refusalOf(name: string, value: ClusterValue): string | undefined {
  if (value === 'false') return 'is [false]';
  const patterns = patternsOf(value);
  for (const pattern of patterns) {
    const plain = pattern.replace(/^[+-]/, '');
    if (!wildcardMatch(plain, name)) continue;
    return pattern.startsWith('-')
      ? `contains [${pattern}] which forbids automatic creation of the index`
      : undefined;
  }
  return `([${patterns.join(',')}]) doesn't match`;
}

function changed(
  level: Level,
  before: ClusterValues,
  change: ClusterChange,
): Map<string, ClusterValue> {
  const after = new Map(before);
  for (const [name, value] of change) {
    if (value === null) {
      for (const known of before.keys()) if (wildcardMatch(name, known)) after.delete(known);
      if (!name.includes('*')) after.delete(name);
      continue;
    }
    const row = clusterSettingRow(name);
    if (row === undefined) throw notRecognized(level, name);
    row.check(name, value);
    after.set(name, value);
  }
  return after;
}

function notRecognized(level: Level, name: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `${level} setting [${name}], not recognized: a node is configured by its file, environment and flags`,
  );
}

function readStored(stored: Json): Map<string, ClusterValue> {
  const { format, settings } = stored as JsonObject;
  if (format !== FORMAT || typeof settings !== 'object' || settings === null) {
    throw new Error(`its format is not [${FORMAT}]`);
  }
  return new Map(Object.entries(settings as Readonly<Record<string, ClusterValue>>));
}

function printMs(ms: number): string {
  return ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${ms}ms`;
}
