// `_rollover`: makes an alias write to a new index once its current one is old or large enough.
import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { checkWaits, INDEX_WAITS } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
} from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';
import { isMet, isTime, measure, readConditions } from './rollover-conditions.js';

const BODY_KEYS = ['conditions', 'settings', 'mappings', 'aliases'];
/** Minimum number of digits at the end of a generated name. */
const DIGITS = 6;

export function rolloverRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INDEXES.rollover,
      methods: ['POST'],
      privilege: 'manage',
      paths: ['/:index/_rollover', '/:index/_rollover/:new_index'],
      params: [...INDEX_WAITS, 'dry_run', 'lazy'],
      handler: (request) => rollover(deps, request),
    },
  ];
}

async function rollover(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  checkWaits(params);
  const { conditions: given, ...newBody } = await readBody(request);
  const conditions = readConditions(given);
  if (params.flag('lazy') === true) {
    throw illegal('lazy rollover can be applied only to a data stream');
  }
  const alias = part(request, 'index');
  const index = writeIndex(deps, alias);
  const newName = request.parts['new_index'] ?? nextName(index.name);
  checkNewName(deps, newName);
  const measures = measure(index, await deps.backend.stats(index.name), deps.nowMs());
  const isDry = params.flag('dry_run') === true;
  const rolls = !isDry && isTime(conditions, measures);
  if (rolls) {
    await deps.backend.rollover({ alias, from: index.name, to: newName, body: newBody });
  }
  return ok({
    acknowledged: rolls,
    shards_acknowledged: rolls,
    old_index: index.name,
    new_index: newName,
    rolled_over: rolls,
    dry_run: isDry,
    lazy: false,
    conditions: Object.fromEntries(conditions.map((one) => [one.text, isMet(one, measures)])),
  });
}

async function readBody(request: ApiRequest): Promise<JsonObject> {
  const body = await optionalBody(request);
  for (const key of Object.keys(body)) {
    if (BODY_KEYS.includes(key)) continue;
    throw new QuarryError(
      'x_content_parse_exception',
      `[rollover] unknown field [${key}], known are [${BODY_KEYS.join(', ')}]`,
    );
  }
  return body;
}

/** The index to which the alias writes. */
function writeIndex(deps: ApiDeps, alias: string): IndexDescription {
  if (!deps.backend.exists(alias, {})) throw illegal(`rollover target [${alias}] does not exist`);
  const behind = deps.backend.resolve(alias, { expandWildcards: ['all'] });
  const members = behind.filter(({ aliases }) => aliases[alias] !== undefined);
  const [only, another] = members;
  if (only === undefined) {
    throw illegal(
      'rollover target is a [concrete index] but one of [alias,data_stream] was expected',
    );
  }
  const declared = members.find(({ aliases }) => aliases[alias]?.['is_write_index'] === true);
  if (declared !== undefined) return declared;
  if (another === undefined && only.aliases[alias]?.['is_write_index'] === undefined) {
    return only;
  }
  throw illegal(`rollover target [${alias}] does not point to a write index`);
}

/** Increments the number at the end: `logs-000001` becomes `logs-000002`. */
function nextName(name: string): string {
  const [, stem, digits] = /^(.*)-(\d{1,15})$/.exec(name) ?? [];
  if (stem === undefined) {
    throw illegal(`index name [${name}] does not match pattern '^.*-\\d+$', send the new name`);
  }
  return `${stem}-${String(Number(digits) + 1).padStart(DIGITS, '0')}`;
}

function checkNewName(deps: ApiDeps, name: string): void {
  const taken = !/[*,]/.test(name) && deps.backend.exists(name, { expandWildcards: ['all'] });
  if (!taken) return;
  const [index] = deps.backend.resolve(name, {});
  throw new QuarryError(
    'resource_already_exists_exception',
    `index [${name}/${index?.uuid ?? '_na_'}] already exists`,
    { extra: { index_uuid: index?.uuid ?? '_na_', index: name } },
  );
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
