// Parses a `_geo_distance` key of `sort`.
import type { Json, JsonObject } from '../../backend/index.js';
import { printExact } from '../../base/exact-json.js';
import type { PlanSortKey } from '../../wire/plan-writer.js';
import { readNestedSort } from '../nested-sort.js';
import { Params } from '../params.js';
import { illegal } from '../values.js';
import { fieldMember, readPlane, readValidation } from './request.js';

const NAME = '_geo_distance';
const PARAMETERS = [
  'order',
  'unit',
  'distance_type',
  'validation_method',
  'mode',
  'ignore_unmapped',
  'nested',
];
const MODES = ['min', 'max', 'avg', 'median'] as const;

export function distanceKey(options: JsonObject): PlanSortKey {
  const params = new Params(NAME, options);
  const [field, points] = fieldMember(NAME, options, PARAMETERS);
  const order = params.choice('order', ['asc', 'desc'] as const) ?? 'asc';
  const mode = readMode(params);
  const unit = params.text('unit') ?? '';
  const validation = readValidation(params);
  const ignoreUnmapped = params.flag('ignore_unmapped') ?? false;
  // Elasticsearch takes its fastest way for this kind of key, which knows no planes.
  const isFast =
    order === 'asc' &&
    (mode === 'default' || mode === 'min') &&
    (unit === '' || unit === 'm' || unit === 'meters') &&
    !isSeveral(points);
  const nested: Json | undefined = options['nested'];
  const plane = readPlane(params) && !(isFast && nested === undefined);
  return {
    field: NAME,
    order,
    mode,
    missing: '_last',
    unmappedType: '',
    numericType: '',
    format: '',
    details: (writer) => {
      writer.str(field).str(printExact(points)).u8(validation);
      writer.bool(ignoreUnmapped).bool(plane).str(unit);
    },
    ...(nested === undefined ? {} : { nested: readNestedSort(NAME, nested) }),
  };
}

/** Whether the value is a list of more than one point. */
function isSeveral(points: Json): boolean {
  return Array.isArray(points) && points.length > 1 && typeof points[0] !== 'number';
}

function readMode(params: Params): PlanSortKey['mode'] {
  const mode = params.text('mode');
  if (mode === undefined) return 'default';
  const found = MODES.find((name) => name === mode.toLowerCase());
  if (found !== undefined) return found;
  if (mode.toLowerCase() === 'sum') {
    throw illegal("sort_mode [sum] isn't supported for sorting by geo distance");
  }
  throw illegal(`Unknown SortMode [${mode}] of [${NAME}], expected one of [${MODES.join(', ')}]`);
}
