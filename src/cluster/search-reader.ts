// Reads the answer to a search: hits with their documents as bytes, everything else as the text
// that the cluster wrote.
import type {
  Json,
  JsonObject,
  SearchHit,
  SearchResult,
  ShardFailure,
  SuggestAnswer,
  SuggestEntry,
  SuggestOption,
} from '../backend/index.js';
import { parseExact, printExact } from '../base/exact-json.js';
import { isObject, namesTaken } from './errors.js';
import type { IndexNames } from './index-names.js';
import { itemsOf, membersOf } from './json-slices.js';

type Members = ReadonlyMap<string, string>;
type SearchHits = Pick<SearchResult, 'total' | 'maxScore' | 'hits'>;

/** The answer of `_search`, of a scroll or of a search of a point in time. */
export function readSearch(body: Buffer, names: IndexNames): SearchResult {
  const members = membersOf(body.toString('utf8'));
  const [scrollId, pitId] = [textAt(members, '_scroll_id'), textAt(members, 'pit_id')];
  const early = members.get('terminated_early');
  const aggregations = members.get('aggregations');
  const suggest = members.get('suggest');
  const profile = members.get('profile');
  return {
    tookMs: Number(members.get('took') ?? 0),
    timedOut: members.get('timed_out') === 'true',
    ...(early === undefined ? {} : { terminatedEarly: early === 'true' }),
    shards: readShards(members.get('_shards'), names),
    ...readHits(members.get('hits') ?? '{}', names),
    ...(aggregations === undefined ? {} : { aggregations: [withShownNames(aggregations, names)] }),
    ...(suggest === undefined ? {} : { suggest: readSuggest(suggest, names) }),
    ...(profile === undefined
      ? {}
      : { profile: namesTaken(parseExact(profile), names) as JsonObject }),
    ...(scrollId === undefined ? {} : { scrollId }),
    ...(pitId === undefined ? {} : { pitId }),
  };
}

export function readShards(text: string | undefined, names: IndexNames): SearchResult['shards'] {
  const read = parseExact(text ?? '{}') as JsonObject;
  const count = (key: string): number => Number(read[key] ?? 0);
  const failures = read['failures'];
  return {
    total: count('total'),
    successful: count('successful'),
    skipped: count('skipped'),
    failed: count('failed'),
    ...(failures === undefined
      ? {}
      : { failures: namesTaken(failures, names) as unknown as readonly ShardFailure[] }),
  };
}

function readHits(text: string, names: IndexNames): SearchHits {
  const members = membersOf(text);
  const total = members.get('total');
  return {
    ...(total === undefined ? {} : { total: readTotal(total) }),
    maxScore: scoreAt(members, 'max_score'),
    hits: itemsOf(members.get('hits') ?? '[]').map((hit) => readHit(hit, names)),
  };
}

function readTotal(text: string): { value: number; relation: 'eq' | 'gte' } {
  const { value, relation } = JSON.parse(text) as { value: number; relation: 'eq' | 'gte' };
  return { value, relation };
}

/** Members of a hit that pass as text, and their names here. */
const TEXTS = {
  fields: 'fields',
  _ignored: 'ignored',
  ignored_field_values: 'ignoredValues',
  matched_queries: 'matchedQueries',
  _explanation: 'explanation',
  highlight: 'highlight',
  _nested: 'nested',
} as const;

function readHit(text: string, names: IndexNames): SearchHit {
  const members = membersOf(text);
  const hit: Record<string, unknown> = {
    index: shownIndex(members, names),
    id: textAt(members, '_id') ?? '',
    score: scoreAt(members, '_score'),
  };
  const shard = /\[(\d+)\]$/.exec(textAt(members, '_shard') ?? '')?.[1];
  if (shard !== undefined) hit['shard'] = Number(shard);
  if (!members.has('_id') && !members.has('_nested')) hit['withoutId'] = true;
  for (const [name, member] of Object.entries(TEXTS)) {
    const value = members.get(name);
    if (value !== undefined) hit[member] = member === 'fields' ? shownFields(value, names) : value;
  }
  const [version, seqNo] = [members.get('_version'), members.get('_seq_no')];
  if (version !== undefined) hit['version'] = BigInt(version);
  if (seqNo !== undefined) {
    hit['seqNo'] = BigInt(seqNo);
    hit['primaryTerm'] = numberAt(members, '_primary_term') ?? 1;
  }
  const routing = textAt(members, '_routing');
  if (routing !== undefined) hit['routing'] = routing;
  const source = members.get('_source');
  if (source !== undefined) hit['source'] = Buffer.from(source);
  const sort = members.get('sort');
  if (sort !== undefined) hit['sort'] = itemsOf(sort);
  const inner = members.get('inner_hits');
  if (inner !== undefined) hit['innerHits'] = readInnerHits(inner, names);
  return hit as unknown as SearchHit;
}

/** `_index` may be one of the fields. */
function shownFields(text: string, names: IndexNames): string {
  if (names.prefix === '' || !text.includes('"_index"')) return text;
  const fields = parseExact(text) as JsonObject;
  const index = fields['_index'];
  return index === undefined ? text : printExact({ ...fields, _index: namesTaken(index, names) });
}

function readInnerHits(text: string, names: IndexNames): Record<string, SearchHits> {
  return Object.fromEntries(
    [...membersOf(text)].map(([name, result]) => [
      name,
      readHits(membersOf(result).get('hits') ?? '{}', names),
    ]),
  );
}

function shownIndex(members: Members, names: IndexNames): string {
  const given = textAt(members, '_index') ?? '';
  return names.shown(given) ?? given;
}

export function textAt(members: Members, name: string): string | undefined {
  const value = members.get(name);
  return value === undefined || value === 'null' ? undefined : (JSON.parse(value) as string);
}

function numberAt(members: Members, name: string): number | undefined {
  const value = members.get(name);
  return value === undefined || value === 'null' ? undefined : Number(value);
}

/** A float of the engine, as the core gives them. */
function scoreAt(members: Members, name: string): number | null {
  const score = numberAt(members, name);
  return score === undefined ? null : Math.fround(score);
}

/** Aggregations show names of indexes in documents (top_hits), and in keys of buckets. */
function withShownNames(text: string, names: IndexNames): string {
  if (names.prefix === '' || !text.includes(names.prefix)) return text;
  return printExact(renamed(parseExact(text), names));
}

function renamed(value: Json, names: IndexNames): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renamed(one, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if ((key === '_index' || key === 'key') && typeof member === 'string')
        return [key, names.shown(member) ?? member];
      return [key, renamed(member, names)];
    }),
  );
}

function readSuggest(text: string, names: IndexNames): SuggestAnswer {
  return new Map(
    [...membersOf(text)].map(([name, entries]) => [
      name,
      itemsOf(entries).map((entry): SuggestEntry => {
        const members = membersOf(entry);
        return {
          text: textAt(members, 'text') ?? '',
          offset: numberAt(members, 'offset') ?? 0,
          length: numberAt(members, 'length') ?? 0,
          options: itemsOf(members.get('options') ?? '[]').map((one) => readOption(one, names)),
        };
      }),
    ]),
  );
}

function readOption(option: string, names: IndexNames): SuggestOption {
  const members = membersOf(option);
  const text = textAt(members, 'text') ?? '';
  if (members.has('_id')) return { text, hit: readHit(option, names) };
  const score = numberAt(members, 'score') ?? 0;
  const highlighted = textAt(members, 'highlighted');
  if (highlighted !== undefined) return { text, highlighted, score };
  const freq = numberAt(members, 'freq');
  return freq === undefined ? { text, score } : { text, score, freq };
}
