// Reads the bodies of requests to inference endpoints: texts to embed and changes of settings. Also
// formats numbers of vectors.
import type { Json, JsonObject } from '../../backend/index.js';
import { type Definition, printDefinition, readDefinition } from '../../embed/endpoint-body.js';
import { QuarryError } from '../../errors.js';

/** The same limit as OpenAI's. */
const MAX_INPUTS = 2048;

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/** The texts of `{input: "…"}` or `{input: ["…"]}`. */
export function inferenceInput(body: JsonObject): readonly string[] {
  const unknown = Object.keys(body).find((key) => key !== 'input');
  if (unknown !== undefined) throw bad(`unknown setting [${unknown}], expected one of [input]`);
  const { input } = body as { readonly input?: Json };
  if (input === undefined || input === null) throw invalid('Field [input] cannot be null');
  const texts = (Array.isArray(input) ? input : [input]) as readonly Json[];
  if (texts.length === 0) throw invalid('Field [input] cannot be an empty array');
  if (texts.length > MAX_INPUTS) {
    throw bad(`[input] has ${texts.length} texts, at most ${MAX_INPUTS} are allowed`);
  }
  return texts.map((text) => {
    if (typeof text !== 'string') throw bad('[input] must be a string or a list of strings');
    if (text.trim() === '') throw invalid('Field [input] cannot be an empty string');
    return text;
  });
}

export interface RerankInput {
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number | undefined;
  readonly showsDocuments: boolean;
}

const RERANK_KEYS = ['query', 'input', 'top_n', 'return_documents'];

/** `{query, input: ["…"], top_n, return_documents}`. */
export function rerankInput(body: JsonObject): RerankInput {
  const unknown = Object.keys(body).find((key) => !RERANK_KEYS.includes(key));
  if (unknown !== undefined) {
    throw bad(`unknown setting [${unknown}], expected one of [${RERANK_KEYS.join(', ')}]`);
  }
  const { query, input, top_n: topN, return_documents: shows } = body;
  if (typeof query !== 'string' || query.trim() === '') {
    throw invalid('Field [query] must be a text that is not blank');
  }
  const isCount = typeof topN === 'number' && Number.isInteger(topN) && topN >= 1;
  if (topN !== undefined && topN !== null && !isCount) {
    throw bad('[top_n] must be a whole number from 1');
  }
  if (shows !== undefined && shows !== null && typeof shows !== 'boolean') {
    throw bad('[return_documents] must be true or false');
  }
  return {
    query,
    documents: inferenceInput({ input: input ?? null }),
    topN: isCount ? topN : undefined,
    showsDocuments: shows === true,
  };
}

function invalid(what: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${what};`);
}

/** `present` with the changes of an update applied; null removes a setting. */
export function mergedDefinition(present: Definition, body: JsonObject): Definition {
  const printed = printDefinition(present);
  const { service, ...sections } = body;
  if (service !== undefined && service !== present.service) {
    throw bad(`[service] is [${present.service}] and cannot change`);
  }
  const merged: Record<string, Json> = { ...printed };
  for (const [name, changes] of Object.entries(sections)) {
    if (name !== 'service_settings' && name !== 'task_settings') {
      throw bad(`unknown setting [${name}], expected one of [service_settings, task_settings]`);
    }
    if (!isObject(changes)) throw bad(`[${name}] must be an object`);
    merged[name] = { ...(printed[name] as JsonObject | undefined), ...changes };
  }
  return readDefinition(merged);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The shortest decimal that round-trips as a 32-bit float. */
export function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}
