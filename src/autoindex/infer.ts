// Infers the fields of documents from samples: their types in the mapping and their roles in
// searches.
import { isIP } from 'node:net';

/** `object`: scalar in one document and an object in another; stored and not searched. */
export type FieldType =
  | 'boolean'
  | 'long'
  | 'double'
  | 'date'
  | 'ip'
  | 'keyword'
  | 'text'
  | 'object';
export type Role =
  | 'id'
  | 'category'
  | 'label'
  | 'number'
  | 'date'
  | 'flag'
  | 'text'
  | 'address'
  | 'mixed';

export interface Field {
  readonly type: FieldType;
  readonly role: Role;
  /** Format of dates that are not in ISO 8601. */
  readonly format?: string;
  readonly examples: readonly string[];
  /** Number of distinct values among the samples, up to a thousand. */
  readonly values?: number;
}

/** By dotted path. */
export type Fields = Readonly<Record<string, Field>>;

const MAX_FIELDS = 500;
const MAX_DEPTH = 12;
/** Maximum number of distinct values that are counted. */
const MAX_DISTINCT = 1000;
const MAX_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 80;
/** Average number of characters of a value above which it is full text. */
const TEXT_CHARACTERS = 48;
/** Average number of characters of a value above which it is no category. */
const CODE_CHARACTERS = 40;

/** Fields that are searched by words even if each sample has a single word. */
const NAMES: ReadonlySet<string> = new Set(['title', 'subject', 'message']);

const ISO_DATE =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const DATE_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/, ''],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'yyyy-MM-dd HH:mm:ss'],
  [/^\d{4}\/\d\d\/\d\d$/, 'yyyy/MM/dd'],
  [/^[0-3]\d\.[01]\d\.\d{4}$/, 'dd.MM.yyyy'],
  [/^[0-3]\d\/[01]\d\/\d{4}$/, 'dd/MM/yyyy'],
  [/^[01]\d\/[0-3]\d\/\d{4}$/, 'MM/dd/yyyy'],
];

interface FieldStatistics {
  count: number;
  readonly kinds: Map<string, number>;
  readonly distinct: Set<string>;
  characters: number;
  blanks: number;
  /** The entries of DATE_FORMATS that match all strings so far. */
  dates: readonly (readonly [RegExp, string])[];
}

/** Collects values. `texts`: numbers and flags are stored as strings, as in CSV. */
export class Inference {
  readonly #fieldStatistics = new Map<string, FieldStatistics>();
  readonly #texts: boolean;

  constructor(texts: boolean) {
    this.#texts = texts;
  }

  add(doc: Readonly<Record<string, unknown>>): void {
    this.#addObject(doc, '', 0);
  }

  /** Paths that have values. */
  names(): readonly string[] {
    return [...this.#fieldStatistics.keys()];
  }

  /** Adds the values that `other` has collected. */
  merge(other: Inference): void {
    for (const [path, from] of other.#fieldStatistics) {
      const into = this.#statisticsOf(path);
      if (into === undefined) continue;
      into.count += from.count;
      into.characters += from.characters;
      into.blanks += from.blanks;
      into.dates = into.dates.filter((form) => from.dates.includes(form));
      for (const [kind, count] of from.kinds) {
        into.kinds.set(kind, (into.kinds.get(kind) ?? 0) + count);
      }
      for (const text of from.distinct) {
        if (into.distinct.size < MAX_DISTINCT) into.distinct.add(text);
      }
    }
  }

  fields(): Fields {
    // Without a prototype, because a field may be named `constructor`.
    const fields = Object.create(null) as Record<string, Field>;
    for (const [path, statistics] of this.#fieldStatistics) {
      const mixed = ancestorsOf(path).find((above) => this.#fieldStatistics.has(above));
      if (mixed === undefined) fields[path] ??= fieldOf(path, statistics);
      else fields[mixed] = { type: 'object', role: 'mixed', examples: [] };
    }
    return fields;
  }

  #addObject(object: Readonly<Record<string, unknown>>, above: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const [name, value] of Object.entries(object)) {
      if (name === '' || name.startsWith('.') || name.endsWith('.')) continue;
      this.#addValue(value, above === '' ? name : `${above}.${name}`, depth);
    }
  }

  #addValue(value: unknown, path: string, depth: number): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, 20)) this.#addValue(element, path, depth + 1);
    } else if (typeof value === 'object') {
      this.#addObject(value as Record<string, unknown>, path, depth + 1);
    } else {
      const statistics = this.#statisticsOf(path);
      if (statistics !== undefined) this.#count(statistics, value);
    }
  }

  #statisticsOf(path: string): FieldStatistics | undefined {
    const found = this.#fieldStatistics.get(path);
    if (found !== undefined || this.#fieldStatistics.size >= MAX_FIELDS) return found;
    const made: FieldStatistics = {
      count: 0,
      kinds: new Map(),
      distinct: new Set(),
      characters: 0,
      blanks: 0,
      dates: DATE_FORMATS,
    };
    this.#fieldStatistics.set(path, made);
    return made;
  }

  #count(statistics: FieldStatistics, value: unknown): void {
    const text = String(value);
    statistics.count += 1;
    statistics.characters += text.length;
    if (/\s/.test(text)) statistics.blanks += 1;
    if (statistics.distinct.size < MAX_DISTINCT)
      statistics.distinct.add(text.slice(0, EXAMPLE_CHARACTERS));
    if (typeof value === 'string')
      statistics.dates = statistics.dates.filter(([form]) => form.test(text));
    const kind = this.#kindOf(value, text);
    statistics.kinds.set(kind, (statistics.kinds.get(kind) ?? 0) + 1);
  }

  #kindOf(value: unknown, text: string): FieldType {
    if (typeof value === 'boolean') return 'boolean';
    if (typeof value === 'number') return Number.isSafeInteger(value) ? 'long' : 'double';
    if (this.#texts) {
      if (/^(?:true|false)$/.test(text)) return 'boolean';
      // Digits with a leading zero are a code and not a number.
      if (/^-?(?:0|[1-9]\d{0,17})$/.test(text)) return 'long';
      if (/^-?(?:0|[1-9]\d*)\.\d+(?:[eE][-+]?\d+)?$/.test(text)) return 'double';
    }
    if (DATE_FORMATS.some(([form]) => form.test(text)) && isMoment(text)) return 'date';
    return isIP(text) === 0 ? 'keyword' : 'ip';
  }
}

/** The ancestors of `a.b.c` are `a` and `a.b`, the outermost first. */
export function ancestorsOf(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
}

/** A string in ISO 8601 must also be a valid calendar date. */
function isMoment(text: string): boolean {
  return !ISO_DATE.test(text) || !Number.isNaN(Date.parse(text.replace(',', '.')));
}

function fieldOf(path: string, statistics: FieldStatistics): Field {
  const examples = [...statistics.distinct].slice(0, MAX_EXAMPLES);
  const meaning = meaningOf(statistics);
  const isName = NAMES.has(path) && meaning.type === 'keyword';
  const kept = isName ? ({ type: 'text', role: 'label' } as const) : meaning;
  return { ...kept, examples, values: statistics.distinct.size };
}

function meaningOf(statistics: FieldStatistics): Pick<Field, 'type' | 'role' | 'format'> {
  const kinds = [...statistics.kinds.keys()];
  const [only] = kinds;
  if (kinds.length === 1 && only === 'boolean') return { type: only, role: 'flag' };
  if (kinds.length === 1 && only === 'ip') return { type: only, role: 'address' };
  if (kinds.every((kind) => kind === 'long' || kind === 'double')) {
    return { type: kinds.includes('double') ? 'double' : 'long', role: 'number' };
  }
  const form = statistics.dates[0]?.[1];
  if (kinds.length === 1 && only === 'date' && form !== undefined) {
    return { type: 'date', role: 'date', ...(form === '' ? {} : { format: form }) };
  }
  const characters = statistics.characters / statistics.count;
  if (characters > TEXT_CHARACTERS && statistics.blanks * 2 > statistics.count) {
    return { type: 'text', role: 'text' };
  }
  const differ = statistics.distinct.size / statistics.count;
  // Several words are searched by words; the whole value is kept for filters.
  if (statistics.blanks * 5 > statistics.count) {
    return { type: 'text', role: differ < 0.3 ? 'category' : 'label' };
  }
  const unlike = differ > 0.95 && statistics.count > 5;
  return { type: 'keyword', role: unlike || characters > CODE_CHARACTERS ? 'id' : 'category' };
}

/** The text field that a semantic search reads: the longest. Undefined if there is no prose. */
export function semanticField(fields: Fields): string | undefined {
  if (fields['body']?.type === 'text') return 'body';
  const prose = Object.entries(fields).filter(([, { role }]) => role === 'text');
  const longest = (field: Field): number => Math.max(...field.examples.map((e) => e.length));
  prose.sort(([, a], [, b]) => longest(b) - longest(a));
  return prose[0]?.[0];
}
