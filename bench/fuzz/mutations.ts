// Mutations of bodies: members are replaced by unsuitable values, dropped, repeated, renamed or
// moved; and bytes are changed.
import {
  BAD_VALUES,
  linesWithTextAt,
  type Place,
  placesOf,
  withTextAt,
} from '../../test/tools/json-places.ts';
import type { Choice } from './choice.ts';

/** A JSON value, or the lines of an NDJSON body. */
export type Body = { readonly value: unknown } | { readonly lines: readonly unknown[] };

type Member = readonly [name: string, value: unknown];

const LONG = 40_000;
const DEEP = 90;
const MANY = 3000;
const BEYOND_DEEP = 5000;
/** Limit on the growth of bodies by repetition. */
const MOST_CHARACTERS = 2_000_000;

/**
 * JSON texts in addition to BAD_VALUES: long, deep and wide ones, and some that a parser must
 * reject.
 */
const AWKWARD_VALUES: readonly string[] = [
  JSON.stringify('x'.repeat(LONG)),
  JSON.stringify('é'.repeat(300)),
  '['.repeat(DEEP) + ']'.repeat(DEEP),
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  '['.repeat(BEYOND_DEEP) + ']'.repeat(BEYOND_DEEP),
  `[${'1,'.repeat(MANY)}1]`,
  `[${'"x",'.repeat(300)}"x"]`,
  `{${Array.from({ length: 300 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  `1${'0'.repeat(400)}`,
  `0.${'1'.repeat(300)}`,
  ...['-0', '-0.0', '1.0', '1E+2', '01', 'NaN', '1e-320', '0', '2147483648', 'false'],
  ...['"*"', '"**"', '"_all"', '"\\u0000"', '"a\\u0000b"', '"\\udc00\\ud800"', '"\\n"', '" "'],
  ...['"../../../etc/passwd"', '"{{a}}"', '"<now/d>"', '"<t-{now/d}>"', '"%s%n"'],
  ...['"-1"', '"1e9"', '"99999999999999999999"', '"2024-13-45"', '"now/x"', '"+99:99"', '"NaN"'],
  ...['"__proto__"', '"constructor"', '"\\\\"', '"\\""', '"0"', '"1ms"', '"-1d"', '"999999999d"'],
  ...['{"":1}', '{"a":1,"a":2}', '{"constructor":{"prototype":{"x":1}}}', '[1,"x",null,{"a":1}]'],
];
const VALUES: readonly string[] = [...BAD_VALUES, ...AWKWARD_VALUES];

const NAMES = [
  ...['__proto__', 'constructor', '', 'toString', 'hasOwnProperty', 'length', '$ref', 'a.b', '.'],
  ...['..', '*', 'x'.repeat(600), '\0', 'é', 'type', 'field', 'query', 'size', 'boost', '_name'],
] as const;

/** Replaces the entries at the place by the result of `change`. */
function membersChanged(
  value: unknown,
  place: Place,
  change: (member: Member) => readonly Member[],
): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return change(['', value])[0]?.[1] ?? null;
  const entries = Object.entries(value as object).flatMap(([key, member]): readonly Member[] => {
    if (key !== String(name)) return [[key, member]];
    return rest.length === 0
      ? change([key, member])
      : [[key, membersChanged(member, rest, change)]];
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function valueAt(value: unknown, place: Place): unknown {
  return place.reduce(
    (inner, name) => Object.entries(inner as object).find(([key]) => key === String(name))?.[1],
    value,
  );
}

function stretchedText(text: string, choice: Choice): unknown {
  return choice.pick([
    text.repeat(200),
    text.toUpperCase(),
    `${text}\0`,
    `${text},*`,
    text.slice(0, 1),
    `${text}'"\\`,
    `*${text}`,
    [text],
    [...text].reverse().join(''),
  ]);
}

function stretchedValue(value: unknown, choice: Choice): unknown {
  if (typeof value === 'string') return stretchedText(value, choice);
  if (typeof value !== 'number') return [value];
  return choice.pick([value * 1e9, -value, value + 0.5, 2 ** 53 + 2, String(value)]);
}

/** Applies one change whose result is valid JSON. */
function restructured(value: unknown, choice: Choice): unknown {
  const places = [...placesOf(value)];
  const place = choice.pick(places) ?? [];
  const other = valueAt(value, choice.pick(places) ?? []);
  const times = choice.pick([1, 1, 20, 1000]);
  const rename = choice.pick(NAMES);
  const change = choice.pick<(member: Member) => readonly Member[]>([
    () => [],
    ([name, member]) => [[name, [member, member]]],
    ([name, member]) => [[name, { x: member }]],
    ([name, member]) => [[name, stretchedValue(member, choice)]],
    ([name]) => [[name, other]],
    ([, member]) => [[rename, member]],
    ([name, member]) => [
      [name, member],
      ...Array.from({ length: times }, (_, i): Member => [`${name}${i}`, member]),
    ],
  ]);
  return membersChanged(value, place, change);
}

function changed(bytes: Buffer, choice: Choice): Buffer {
  const at = choice.below(bytes.length);
  const turned = Buffer.from(bytes);
  turned[at] = choice.below(256);
  const piece = choice.pick([
    '\0',
    '\xff\xff',
    '\xed\xa0\x80',
    '/*',
    '\n\n',
    ',',
    '}',
    ']',
    '"',
    '-',
  ]);
  return choice.pick([
    bytes.subarray(0, at),
    turned,
    Buffer.concat([bytes, bytes]),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    Buffer.concat([bytes.subarray(0, at), Buffer.from(piece, 'latin1'), bytes.subarray(at)]),
    Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  ]);
}

function print(body: unknown, isLines: boolean): string {
  if (!isLines) return JSON.stringify(body);
  return (body as readonly unknown[]).map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The bytes to send: most of them differ from the body in one place, some in several. */
export function mutatedBody(body: Body, choice: Choice): Buffer {
  const isLines = 'lines' in body;
  let value: unknown = isLines ? body.lines : body.value;
  const changes = choice.chance(0.4) ? 1 + choice.below(3) : 0;
  for (let i = 0; i < changes; i++) {
    const next = restructured(value, choice);
    // Lines remain a list, and a body of sufficient size stops growing.
    if (isLines && !Array.isArray(next)) continue;
    if (print(next, isLines).length > MOST_CHARACTERS) break;
    value = next;
  }
  const place = choice.chance(0.75) ? choice.pick([...placesOf(value)]) : undefined;
  const bad = choice.pick(VALUES) ?? 'null';
  let text = print(value, isLines);
  if (place !== undefined) {
    text = isLines
      ? linesWithTextAt(value as readonly unknown[], place, bad)
      : withTextAt(value, place, bad);
  }
  const bytes = Buffer.from(text);
  return bytes.length > 0 && choice.chance(0.1) ? changed(bytes, choice) : bytes;
}
