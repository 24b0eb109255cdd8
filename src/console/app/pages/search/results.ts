// What a search answers, and how two answers to the same question differ.
import type { RequestError } from '../../kit/api.js';
import { isObject, type JsonObject } from '../../kit/json.js';

export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Explanation[];
}

export interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: JsonObject;
  readonly highlight?: Readonly<Record<string, readonly string[]>>;
  readonly _explanation?: Explanation;
}

export interface Bucket {
  readonly key: string | number;
  readonly key_as_string?: string;
  readonly doc_count: number;
}

export interface SearchAnswer {
  readonly took: number;
  readonly timed_out: boolean;
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
    readonly max_score: number | null;
    readonly hits: readonly Hit[];
  };
  readonly aggregations?: Readonly<Record<string, { readonly buckets?: readonly Bucket[] }>>;
}

/** The outcome of one side: an answer, a refusal, or why nothing was asked. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: SearchAnswer }
  | { readonly kind: 'error'; readonly error: RequestError }
  | { readonly kind: 'objection'; readonly objection: string };

export function keyOfHit({ _index, _id }: Pick<Hit, '_index' | '_id'>): string {
  return `${_index}\n${_id}`;
}

/** The place of each hit in the list, from 1. */
export function placesOf(hits: readonly Hit[]): ReadonlyMap<string, number> {
  return new Map(hits.map((hit, at) => [keyOfHit(hit), at + 1]));
}

/** Where the hit stands in the other list: "only here", "same place", "3 up", "2 down". */
export function difference(
  place: number,
  other: number | undefined,
): { readonly text: string; readonly kind: 'same' | 'up' | 'down' | 'new' } {
  if (other === undefined) return { text: 'only here', kind: 'new' };
  if (other === place) return { text: 'same place', kind: 'same' };
  const moved = other - place;
  return moved > 0
    ? { text: `${moved} higher here`, kind: 'up' }
    : { text: `${-moved} lower here`, kind: 'down' };
}

/** Text to recognize a hit by: the first of its short texts. */
export function titleOf({ _source, _id }: Hit): string {
  if (_source === undefined) return _id;
  for (const name of ['title', 'name', 'subject', 'label', 'headline']) {
    const value = _source[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  const first = Object.values(_source).find(
    (value) => typeof value === 'string' && value !== '' && value.length <= 200,
  );
  return typeof first === 'string' ? first : _id;
}

/** The longest text of a hit that is not its title, for hits without highlights. */
export function snippetOf(hit: Hit): string | undefined {
  const title = titleOf(hit);
  const texts = Object.values(hit._source ?? {}).filter(
    (value): value is string => typeof value === 'string' && value !== title,
  );
  const longest = texts.sort((a, b) => b.length - a.length)[0];
  return longest === undefined || longest.length <= 240 ? longest : `${longest.slice(0, 240)} …`;
}

/** A vector or a text at a path of a source, undefined if there is none. */
export function exampleAt(
  source: JsonObject | undefined,
  path: string,
): readonly number[] | string | undefined {
  let value: unknown = source;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
    ? (value as readonly number[])
    : undefined;
}
