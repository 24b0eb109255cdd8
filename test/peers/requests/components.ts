// Every form of the golden table of components (golden/analysis) with texts put together at random
// from those of the table and from odd characters. Sent only to peers with the modules of analysis.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seeded } from '../../../bench/tools/seeded.ts';
import type { Capability, PeerRequest, Send } from '../request.ts';

interface Form {
  readonly name: string;
  readonly analyzer: { readonly type?: string; readonly tokenizer?: unknown };
}
interface Golden {
  readonly texts: Readonly<Record<string, string>>;
  readonly forms: readonly Form[];
}

const TEXTS = Number(process.env['COMPONENT_TEXTS'] ?? 20);
const SEED = Number(process.env['COMPONENT_SEED'] ?? 1);
const MOST_PIECES = 9;

const ODD = [
  ...`-_.,/'’"()|\\+=@#&`,
  '\u00AD',
  '\u200B',
  '\u200D',
  '\uFEFF',
  '\t',
  '\n',
  '\u0301',
  '\u3099',
  '\u0640',
  '\u093C',
  '\u09CD',
  ...['ß', 'İ', 'ı', 'ς', 'Ω', 'ﬁ', 'ー', '々', '한', 'ｱ', 'ﾞ', '𝔘', '①', '½', 'Ⅷ', '٣', '४'],
  ...['😀', '👩‍👩‍👧', '🇩🇪', '://', 'www.', '<b>', '</b>', '&amp;', '42', 'Zz'],
];

const golden: Golden = JSON.parse(
  readFileSync(join('test', 'golden', 'analysis', 'components.json'), 'utf8'),
);
const words = Object.values(golden.texts)
  .flatMap((text) => text.split(/\s+/))
  .filter((word) => word !== '');

function one<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

function textOf(random: Random): string {
  let text = '';
  for (let left = 1 + Math.floor(random() * MOST_PIECES); left > 0; left--) {
    text += random() < 0.7 ? one(words, random) : one(ODD, random);
    if (random() < 0.6) text += ' ';
  }
  return text;
}

const random = seeded(SEED);
const texts = Array.from({ length: TEXTS }, () => textOf(random));

async function analyze(send: Send, { analyzer }: Form): Promise<readonly unknown[]> {
  const named = analyzer.type !== undefined && analyzer.tokenizer === undefined;
  const definition = named ? { analyzer: analyzer.type } : analyzer;
  const answers: unknown[] = [];
  for (const text of texts) answers.push(await send('POST', '/_analyze', { ...definition, text }));
  return answers;
}

const needs = (name: string): readonly Capability[] =>
  name.includes('icu_') ? ['analysis', 'icu'] : ['analysis'];

export const COMPONENT_REQUESTS: readonly PeerRequest[] = golden.forms.map((form) => ({
  name: `components: ${form.name}`,
  needs: needs(form.name),
  run: (send) => analyze(send, form),
}));
