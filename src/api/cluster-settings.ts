// `_cluster/settings`: how long scrolls and points in time may be kept is all that can be changed while the node runs, until
// it stops. Everything else is said in its file, its environment and its flags.
import type { Json, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { asText, printValue } from '../json-text.js';
import { checkWaits, durationMs, type UrlParams } from './params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  requiredBody,
} from './routes.js';
import { NODE } from './schemas/node.js';

/** `default_keep_alive` concerns contexts that nobody asked for, of which this server has none. */
const KNOWN = ['search.max_keep_alive', 'search.default_keep_alive'];
const MAX = 'search.max_keep_alive';
const HOUR_MS = 3_600_000;

export function clusterSettingRoutes(deps: ApiDeps): readonly Route[] {
  const transient = new Map<string, string>();
  return [
    {
      schema: NODE.getClusterSettings,
      methods: ['GET'],
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'include_defaults', 'timeout', 'master_timeout'],
      handler: ({ params }) => read(deps, params, transient),
    },
    {
      schema: NODE.putClusterSettings,
      methods: ['PUT'],
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'timeout', 'master_timeout'],
      handler: (request) => change(deps, request, transient),
    },
  ];
}

function read(deps: ApiDeps, params: UrlParams, transient: ReadonlyMap<string, string>): Answer {
  const body = { persistent: {}, transient: printed(transient, params) };
  if (params.flag('include_defaults') !== true) return ok(body);
  const ms = deps.live.get('search.max_keep_alive_ms');
  const most = ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${ms}ms`;
  const defaults = { 'search.default_keep_alive': '5m', [MAX]: most };
  const unset = Object.entries(defaults).filter(([name]) => !transient.has(name));
  return ok({ ...body, defaults: printed(new Map(unset), params) });
}

function change(deps: ApiDeps, request: ApiRequest, transient: Map<string, string>): Answer {
  checkWaits(request.params);
  const { persistent, transient: changes, ...unknown } = requiredBody(request);
  const [first] = Object.keys(unknown);
  if (first !== undefined) {
    throw illegal(`[${first}] is unknown here, known are [persistent] and [transient]`);
  }
  const resets = section('persistent', persistent);
  const asked = section('transient', changes);
  if (resets.length + asked.length === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    );
  }
  const kept = resets.filter(([, value]) => value !== null);
  for (const [name, value] of [...kept, ...asked]) check(name, value);
  const [lasting] = kept;
  if (lasting !== undefined) {
    throw illegal(
      `[${lasting[0]}] cannot be [persistent] here: send it as [transient], or set [search.max_keep_alive_ms] in the configuration`,
    );
  }
  for (const [name, value] of asked) {
    if (value === null) transient.delete(name);
    else transient.set(name, asText(value));
  }
  const most = transient.get(MAX);
  deps.lasting.limitKeepAlive(most === undefined ? undefined : durationMs(most, MAX));
  const changed = new Map(
    asked.flatMap(([name, value]) => (value === null ? [] : [[name, asText(value)] as const])),
  );
  return ok({ acknowledged: true, persistent: {}, transient: printed(changed, request.params) });
}

function check(name: string, value: Json): void {
  if (!KNOWN.includes(name)) {
    if (value === null) return;
    throw illegal(
      `setting [${name}], not recognized: this node is configured by its file, environment and flags`,
    );
  }
  if (value !== null && !(durationMs(asText(value), name) > 0)) {
    throw illegal(`[${name}] must be longer than 0, got [${asText(value)}]`);
  }
}

function section(name: string, value: Json | undefined): readonly (readonly [string, Json])[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && !Array.isArray(value)) return flat(value);
  throw illegal(`[${name}] must be an object of settings, got [${printValue(value)}]`);
}

/** Names with dots, however they are nested. */
function flat(value: Json, prefix = ''): readonly (readonly [string, Json])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[prefix, value]];
  return Object.entries(value as JsonObject).flatMap(([name, member]) =>
    flat(member, prefix === '' ? name : `${prefix}.${name}`),
  );
}

function printed(settings: ReadonlyMap<string, string>, params: UrlParams): JsonObject {
  if (params.flag('flat_settings') === true) return Object.fromEntries(settings);
  const search = [...settings].map(([name, value]) => [name.slice('search.'.length), value]);
  return search.length === 0 ? {} : { search: Object.fromEntries(search) };
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
