// `_analyze`: the tokens of texts. With `explain`, the result of each part of the analyzer: the
// texts after each character filter, the tokens of the tokenizer, and the tokens after each token
// filter. Each step is a separate analysis.

import type { Json, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { type Answer, type ApiDeps, ok } from '../kit/routes.js';
import { type Chain, chainOf, DEFAULT_GAP } from './analyzer-parts.js';

const NO_CHOICE: ReadonlySet<string> = new Set();
/** Maximum number of filters; each costs one analysis. */
const MOST_PARTS = 64;
/** Maximum number of texts to explain; each costs one analysis per character filter. */
const MOST_TEXTS = 100;

type Analysis = (request: JsonObject) => Promise<readonly JsonObject[]>;

export async function analyze(
  deps: ApiDeps,
  index: string | undefined,
  body: JsonObject,
): Promise<Answer> {
  const { explain, attributes, ...requested } = body;
  const request = withoutDefault(requested);
  const chosen = readAttributes(attributes);
  // Attributes have an effect only in an explanation.
  if (!readExplain(explain)) {
    return { status: 200, raw: Buffer.from(await deps.backend.analyze(index, request)) };
  }
  const description = index === undefined ? undefined : deps.backend.resolve(index, {})[0];
  const tokensOf: Analysis = async (step) => {
    const answer = await deps.backend.analyze(index, step);
    return (JSON.parse(answer) as { readonly tokens: readonly JsonObject[] }).tokens;
  };
  // Analysed as a whole first, so that errors refer to the request as it was sent.
  const tokens = await tokensOf(request);
  const { name, chain } = chainOf(request, description);
  if (chain === undefined) {
    const analyzer = { name, tokens: tokens.map((token) => detailed(token, chosen)) };
    return ok({ detail: { custom_analyzer: false, analyzer } });
  }
  return ok({ detail: await explained(chain, request['text'] ?? '', tokensOf, chosen) });
}

/**
 * The analyzer [default] is the one used if none is named, even if the index does not define it.
 */
function withoutDefault(request: JsonObject): JsonObject {
  const { analyzer, ...rest } = request;
  return analyzer === 'default' && rest['field'] === undefined ? rest : request;
}

async function explained(
  { charFilters, tokenizer, filters, gap }: Chain,
  text: Json,
  tokensOf: Analysis,
  chosen: ReadonlySet<string>,
): Promise<JsonObject> {
  if (charFilters.length + filters.length > MOST_PARTS) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[explain] shows an analyzer of at most [${MOST_PARTS}] filters, this one has [${charFilters.length + filters.length}], leave it out`,
    );
  }
  const texts = Array.isArray(text) ? text : [text];
  if (texts.length > MOST_TEXTS) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[explain] shows at most [${MOST_TEXTS}] texts, got [${texts.length}], leave it out`,
    );
  }
  const chars: JsonObject[] = [];
  for (const [at, filter] of charFilters.entries()) {
    const upTo = charFilters.slice(0, at + 1);
    const whole = texts.map((one) =>
      tokensOf({ tokenizer: 'keyword', char_filter: upTo, text: one }),
    );
    const filtered = (await Promise.all(whole)).map(([token]) => token?.['token'] ?? '');
    chars.push({ name: nameOf(filter), filtered_text: filtered });
  }
  const steps: JsonObject[] = [];
  for (let count = 0; count <= filters.length; count++) {
    const made = respaced(
      await tokensOf({
        tokenizer,
        char_filter: charFilters,
        filter: filters.slice(0, count),
        text,
      }),
      texts,
      gap,
    );
    const part = count === 0 ? tokenizer : (filters[count - 1] ?? '');
    steps.push({ name: nameOf(part), tokens: made.map((token) => detailed(token, chosen)) });
  }
  const [first = {}, ...rest] = steps;
  return { custom_analyzer: true, charfilters: chars, tokenizer: first, tokenfilters: rest };
}

/**
 * Corrects positions: parts are analysed with the default gap between two texts, but the analyzer
 * may have a smaller one.
 */
function respaced(
  tokens: readonly JsonObject[],
  texts: readonly Json[],
  gap: number,
): readonly JsonObject[] {
  // Offsets continue from one text to the next, with a distance of 1.
  let end = 0;
  const starts = texts.map((text) => {
    const start = end;
    end += asText(text).length + 1;
    return start;
  });
  return tokens.map((token) => {
    const text = lastNotAbove(starts, Number(token['start_offset']));
    return { ...token, position: Number(token['position']) - text * (DEFAULT_GAP - gap) };
  });
}

/** Index of the last number that is at most `most`, in ascending `numbers`; -1 if there is none. */
function lastNotAbove(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Elasticsearch's name for a part that the request defines inline. */
function nameOf(part: Json): string {
  if (typeof part !== 'object' || part === null) return asText(part);
  return `__anonymous__${asText((part as JsonObject)['type'])}`;
}

function detailed(token: JsonObject, chosen: ReadonlySet<string>): JsonObject {
  const { positionLength = 1, ...shown } = token;
  const bytes = Buffer.from(asText(token['token']), 'utf8').toString('hex');
  const attributes = {
    bytes: `[${(bytes.match(/../g) ?? []).join(' ')}]`,
    positionLength,
    termFrequency: 1,
  };
  const kept = Object.entries(attributes).filter(
    ([name]) => chosen.size === 0 || chosen.has(name.toLowerCase()),
  );
  return { ...shown, ...Object.fromEntries(kept) };
}

function readExplain(value: Json | undefined): boolean {
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new QuarryError(
    'x_content_parse_exception',
    '[analyze_request] [explain] must be true or false',
  );
}

/** Attribute names in lower case; empty means all. */
function readAttributes(value: Json | undefined): ReadonlySet<string> {
  if (value === undefined) return NO_CHOICE;
  const names = Array.isArray(value) ? value : [value];
  if (names.every((name) => name !== null && typeof name !== 'object')) {
    return new Set(names.map((name) => asText(name).toLowerCase()));
  }
  throw new QuarryError(
    'x_content_parse_exception',
    '[analyze_request] [attributes] must be a list of names',
  );
}
