// Index settings: converts any form of a request (flat, nested, with or without `index.`) to a flat
// table of strings, checks them at creation and update, and converts them back to the nested form
// of GET _settings.

import type { Json, JsonObject } from '../../backend/index.js';
import { nestDotted } from '../../base/dotted-names.js';
import { asText } from '../../base/json-text.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { SLOW_LEVELS, type SlowPhase, type Thresholds } from '../../ops/slow-log.js';
import type { QueryDefaults } from '../../query/clause.js';
import type { SearchLimits } from '../../query/limits.js';
import { limitsOf } from './limit-settings.js';
import type { Scope, SettingValue } from './setting-row.js';
import { isTaken, settingRow, slowLogSetting, unknownSetting } from './settings-table.js';

/** Full names (`index.refresh_interval`) to values; only settings that were set explicitly. */
export type Settings = ReadonlyMap<string, SettingValue>;

/** The settings that the coordinator itself uses. */
export interface IndexBehaviour {
  readonly hidden: boolean;
  /** Milliseconds, -1: no automatic refresh. */
  readonly refreshIntervalMs: number;
  readonly queryDefaults: QueryDefaults;
  readonly limits: SearchLimits;
  /** Acknowledge before the log is durable. */
  readonly asyncDurability: boolean;
  /** Responses without hits may be cached. */
  readonly requestCache: boolean;
  readonly maxSlices: number;
  /** Thresholds of the slow log; absent ones default to those of the node. */
  readonly slowQueries: Readonly<Record<SlowPhase, Thresholds>>;
  readonly blocks: ReadonlySet<Block>;
}

export type Block = 'read_only' | 'read_only_allow_delete' | 'read' | 'write';
const BLOCKS: readonly Block[] = ['read_only', 'read_only_allow_delete', 'read', 'write'];

const DEFAULT_REFRESH_MS = 1000;
const DEFAULT_SLICES = 1024;
/** The version of Elasticsearch whose conventions an index follows, as settings print it. */
const VERSION_CREATED = '8512000';

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/** Settings of one body: each is checked, printed and stored in one step of the main thread. */
const MOST_SETTINGS = 10_000;

/**
 * Flat entries of a settings body; null stands for the default. A later spelling of the same
 * setting takes precedence.
 */
export function flatten(body: JsonObject): Map<string, SettingValue | null> {
  const flat = new Map<string, SettingValue | null>();
  const walk = (tree: JsonObject, prefix: string): void => {
    for (const [name, value] of Object.entries(tree)) {
      // Assigning it as a member of an object would lose it.
      if (name.split('.').includes('__proto__')) throw unknownSetting(`index.${name}`);
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        walk(value as JsonObject, path);
      } else {
        flat.set(
          path === 'index' || !path.startsWith('index.') ? `index.${path}` : path,
          leaf(path, value),
        );
        if (flat.size > MOST_SETTINGS) {
          throw bad(
            `[settings] are more than [${MOST_SETTINGS}]: leave out those that nothing uses`,
          );
        }
      }
    }
  };
  walk(body, '');
  return flat;
}

function leaf(path: string, value: Json): SettingValue | null {
  if (value === null) return null;
  if (!Array.isArray(value)) return asText(value);
  return (value as readonly Json[]).map((item) => {
    if (typeof item !== 'object') return asText(item);
    throw bad(`setting [${path}] must be a list of plain values, not of objects, lists or nulls`);
  });
}

/** The settings of a new index. `null` values mean the default and are left out. */
export function createSettings(body: JsonObject): Settings {
  const settings = new Map<string, SettingValue>();
  for (const [key, value] of flatten(body)) {
    const row = settingRow(key);
    if (row === undefined) throw unknownSetting(key);
    if (value === null) continue;
    if (row.scope === 'internal') continue;
    row.check(key, value);
    if (row.scope !== 'dropped') settings.set(key, value);
  }
  return settings;
}

/** The settings of a template: null stands for the default, whatever weaker templates set. */
export function templateSettings(body: JsonObject): JsonObject {
  const resets = [...flatten(body)].filter(([, value]) => value === null);
  return nest(new Map([...createSettings(body), ...resets]));
}

export interface SettingsOwner {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  readonly settings: Settings;
}

/** The settings of `owner` after an update. `preserveExisting`: existing values are kept. */
export function updateSettings(
  owner: SettingsOwner,
  body: JsonObject,
  preserveExisting: boolean,
): Settings {
  const changes = flatten(unwrap(body));
  if (changes.size === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    );
  }
  checkScopes(owner, changes);
  const settings = new Map(owner.settings);
  for (const [key, value] of changes) {
    if (preserveExisting && settings.has(key)) continue;
    if (value === null) {
      reset(settings, key);
    } else {
      const row = settingRow(key);
      row?.check(key, value);
      if (row?.scope !== 'dropped') settings.set(key, value);
    }
  }
  return settings;
}

/** True if some of the settings can be changed only while the index is closed. */
export function changesStatic(body: JsonObject): boolean {
  return [...flatten(unwrap(body)).keys()].some((key) => settingRow(key)?.scope === 'static');
}

export function changesBlocksOnly(before: Settings, after: Settings): boolean {
  return [...before, ...after].every(
    ([key, value]) =>
      key.startsWith('index.blocks.') || (before.get(key) === value && after.get(key) === value),
  );
}

/** `{"settings": {…}}` stands for its content. */
function unwrap(body: JsonObject): JsonObject {
  const inner = body['settings'];
  const only = Object.keys(body).length === 1;
  return only && typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? (inner as JsonObject)
    : body;
}

/** A null removes the setting; with a trailing star (`index.blocks.*`) all settings below it. */
function reset(settings: Map<string, SettingValue>, key: string): void {
  settings.delete(key);
  if (!key.endsWith('.*')) return;
  for (const name of [...settings.keys()]) {
    const fixed = settingRow(name)?.scope === 'final' && !isOutdated(settings, name);
    if (name.startsWith(key.slice(0, -1)) && !fixed) settings.delete(name);
  }
}

/** True for a stored value that is no longer valid: such a setting may always be removed. */
function isOutdated(settings: Settings, key: string): boolean {
  const value = settings.get(key);
  return value !== undefined && !isTaken(key, value);
}

function checkScopes(owner: SettingsOwner, changes: Map<string, SettingValue | null>): void {
  const fixed: string[] = [];
  for (const [key, value] of changes) {
    const isReset = value === null && (key.endsWith('.*') || isOutdated(owner.settings, key));
    const scope: Scope | undefined = isReset ? 'dynamic' : settingRow(key)?.scope;
    if (scope === undefined) throw unknownSetting(key);
    if (scope === 'internal') {
      throw bad(`can not update private setting [${key}]; this setting is managed by the server`);
    }
    if (scope === 'final' && owner.state === 'close') {
      throw bad(`final ${owner.name} setting [${key}], not updateable`);
    }
    if (scope === 'final' || (scope === 'static' && owner.state === 'open')) fixed.push(key);
  }
  if (fixed.length === 0) return;
  throw bad(
    `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [[${owner.name}/${owner.uuid}]]`,
  );
}

function text(settings: Settings, key: string, fallback: string): string {
  const value = settings.get(key);
  return typeof value === 'string' ? value : fallback;
}

export function numberOfShards(settings: Settings): number {
  return Number(text(settings, 'index.number_of_shards', '1'));
}

export function behaviourOf(settings: Settings, dotName: boolean): IndexBehaviour {
  const interval = settings.get('index.refresh_interval');
  return {
    hidden: text(settings, 'index.hidden', String(dotName)) === 'true',
    refreshIntervalMs:
      typeof interval === 'string'
        ? parseTime(interval, 'index.refresh_interval')
        : DEFAULT_REFRESH_MS,
    queryDefaults: queryDefaultsOf(settings),
    limits: limitsOf(settings),
    asyncDurability:
      text(settings, 'index.translog.durability', 'request').toLowerCase() === 'async',
    maxSlices: Number(text(settings, 'index.max_slices_per_scroll', String(DEFAULT_SLICES))),
    requestCache: text(settings, 'index.requests.cache.enable', 'true') === 'true',
    slowQueries: slowQueriesOf(settings),
    blocks: new Set(
      BLOCKS.filter((name) => text(settings, `index.blocks.${name}`, 'false') === 'true'),
    ),
  };
}

/** Shared by all indexes without thresholds. */
const NO_THRESHOLDS: IndexBehaviour['slowQueries'] = { query: {}, fetch: {} };

function slowQueriesOf(settings: Settings): IndexBehaviour['slowQueries'] {
  const of = (phase: SlowPhase): Thresholds =>
    Object.fromEntries(
      SLOW_LEVELS.flatMap((level) => {
        const key = slowLogSetting(phase, level);
        const value = settings.get(key);
        return typeof value === 'string' ? [[level, parseTime(value, key)]] : [];
      }),
    );
  const found = { query: of('query'), fetch: of('fetch') };
  const none = Object.keys(found.query).length + Object.keys(found.fetch).length === 0;
  return none ? NO_THRESHOLDS : found;
}

function queryDefaultsOf(settings: Settings): QueryDefaults {
  const fields = settings.get('index.query.default_field') ?? '*';
  return {
    fields: typeof fields === 'string' ? [fields] : fields.map(String),
    lenient: text(settings, 'index.query_string.lenient', 'false') === 'true',
  };
}

/** Facts of an index that GET _settings shows in addition to its settings. */
export interface SettingsFacts {
  readonly name: string;
  readonly uuid: string;
  readonly creationDate: number;
  readonly shards: number;
}

/** `{index: {…}}` with string leaves, completed by the facts. */
export function printSettings(settings: Settings, facts: SettingsFacts): JsonObject {
  const shown = new Map<string, SettingValue>([
    ...settings,
    ['index.number_of_shards', String(facts.shards)],
    ['index.number_of_replicas', text(settings, 'index.number_of_replicas', '1')],
    ['index.provided_name', facts.name],
    ['index.creation_date', String(facts.creationDate)],
    ['index.uuid', facts.uuid],
    ['index.version.created', VERSION_CREATED],
  ]);
  return nest(shown);
}

/** Settings in the form that GET _settings prints. */
export function nest(settings: ReadonlyMap<string, SettingValue | null>): JsonObject {
  return nestDotted(settings);
}

/** Reads settings from the form that `nest` creates. */
export function readSettings(tree: JsonObject): Settings {
  const settings = new Map<string, SettingValue>();
  for (const [key, value] of flatten(tree)) if (value !== null) settings.set(key, value);
  return settings;
}
