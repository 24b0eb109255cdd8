// Reads a folder with a sentence model as people publish them: an ONNX file, a vocabulary, and
// perhaps the files that say how texts are prepared.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { MODEL_FILE, VOCABULARY_FILE } from './model-manifest.js';
import type { TokenizerOptions } from './word-piece.js';

export interface ModelSource {
  readonly modelPath: string;
  /** The text of the vocabulary, a token in each line. */
  readonly vocabulary: string;
  readonly tokenizer: TokenizerOptions;
  readonly maxTokens: number;
}

const MODEL_FOLDERS = ['', 'onnx'];
const DEFAULT_TOKENS = 256;
/** Of what the models of this shape can see. */
const MOST_TOKENS = 512;
const LEAST_TOKENS = 8;
const MAX_MODEL_BYTES = 2 ** 31 - 1;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export function modelProblem(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/** Throws illegal_argument_exception with what is missing or cannot be used. */
export function readModelSource(folder: string, maxTokens: number | undefined): ModelSource {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw modelProblem(`[${folder}] is no folder`);
  }
  const modelPath = findModel(folder);
  const { size } = statSync(modelPath);
  if (size > MAX_MODEL_BYTES) throw modelProblem(`[${modelPath}] has more than 2 GiB`);
  checkPooling(folder);
  const published = readJson(folder, 'tokenizer.json');
  const vocabulary = readVocabulary(folder, published);
  return {
    modelPath,
    vocabulary,
    tokenizer: readTokenizer(folder, published, vocabulary),
    maxTokens: readMaxTokens(folder, maxTokens),
  };
}

/** model.onnx, or the only model that there is. */
function findModel(folder: string): string {
  const found = MODEL_FOLDERS.flatMap((below) => {
    const at = join(folder, below);
    const names = existsSync(at) ? readdirSync(at) : [];
    return names.filter((name) => name.endsWith('.onnx')).map((name) => join(at, name));
  });
  const named = MODEL_FOLDERS.map((below) => join(folder, below, MODEL_FILE));
  const model = named.find((path) => found.includes(path)) ?? found[0];
  if (model === undefined) {
    throw modelProblem(`[${folder}] holds no model: [${MODEL_FILE}] or [onnx/${MODEL_FILE}]`);
  }
  if (!named.includes(model) && found.length > 1) {
    throw modelProblem(
      `[${folder}] holds several models, [${found.join(', ')}]: name the one to take [${MODEL_FILE}]`,
    );
  }
  return model;
}

function checkPooling(folder: string): void {
  const name = join('1_Pooling', 'config.json');
  const pooling = readJson(folder, name);
  if (pooling === undefined || pooling['pooling_mode_mean_tokens'] === true) return;
  throw modelProblem(
    `[${name}] asks for another pooling than [pooling_mode_mean_tokens], the mean over the tokens, which alone is supported`,
  );
}

function readVocabulary(folder: string, published: JsonObject | undefined): string {
  const path = join(folder, VOCABULARY_FILE);
  if (existsSync(path)) return readText(path);
  if (published === undefined) {
    throw modelProblem(`[${folder}] holds no vocabulary: [${VOCABULARY_FILE}] or [tokenizer.json]`);
  }
  const model = section(published, 'model');
  const vocabulary = model['vocab'];
  if (model['type'] !== 'WordPiece' || !isObject(vocabulary)) {
    throw modelProblem(
      `[tokenizer.json] is of the type [${String(model['type'])}], only [WordPiece] of BERT is supported`,
    );
  }
  return linesOf(vocabulary);
}

/** `{token: id}` as lines in the order of the ids. */
function linesOf(vocabulary: JsonObject): string {
  const entries = Object.entries(vocabulary);
  const tokens: string[] = new Array(entries.length).fill('');
  for (const [token, id] of entries) {
    const fits = typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < tokens.length;
    if (!fits || tokens[id] !== '' || /[\r\n]/.test(token)) {
      throw modelProblem(
        `[tokenizer.json] has a vocabulary whose ids are not 0 to ${tokens.length - 1}`,
      );
    }
    tokens[id] = token;
  }
  return `${tokens.join('\n')}\n`;
}

/** From tokenizer.json or tokenizer_config.json; a vocabulary alone is one of an uncased model. */
function readTokenizer(
  folder: string,
  published: JsonObject | undefined,
  vocabulary: string,
): TokenizerOptions {
  const normalizer = published === undefined ? undefined : section(published, 'normalizer');
  if (normalizer !== undefined && normalizer['type'] !== 'BertNormalizer') {
    throw modelProblem(
      `[tokenizer.json] has the normalizer [${String(normalizer['type'])}], only [BertNormalizer] is supported`,
    );
  }
  const config = readJson(folder, 'tokenizer_config.json');
  if (normalizer === undefined && config === undefined && /^[a-z]*[A-Z]/m.test(vocabulary)) {
    throw modelProblem(
      `[${VOCABULARY_FILE}] has capital letters: add the model's [tokenizer_config.json], which says [do_lower_case]`,
    );
  }
  const lowercase = flag(normalizer?.['lowercase'] ?? config?.['do_lower_case'], true);
  return {
    lowercase,
    // Where nothing is said, accents go with the case.
    stripAccents: flag(normalizer?.['strip_accents'] ?? config?.['strip_accents'], lowercase),
    separatesIdeographs: flag(
      normalizer?.['handle_chinese_chars'] ?? config?.['tokenize_chinese_chars'],
      true,
    ),
  };
}

function readMaxTokens(folder: string, wanted: number | undefined): number {
  const positions = readJson(folder, 'config.json')?.['max_position_embeddings'];
  const most = isCount(positions) ? Math.min(positions, MOST_TOKENS) : MOST_TOKENS;
  if (wanted !== undefined) {
    if (wanted >= LEAST_TOKENS && wanted <= most) return wanted;
    throw modelProblem(
      `the most tokens of a text must be from ${LEAST_TOKENS} to ${most}, not ${wanted}`,
    );
  }
  const said = readJson(folder, 'sentence_bert_config.json')?.['max_seq_length'];
  return Math.min(isCount(said) && said >= LEAST_TOKENS ? said : DEFAULT_TOKENS, most);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function flag(value: Json | undefined, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

/** Undefined where the folder has no such file. */
function readJson(folder: string, name: string): JsonObject | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch (error) {
    if (error instanceof QuarryError) throw error;
    throw modelProblem(`[${path}] is not JSON`);
  }
  if (isObject(value as Json)) return value as JsonObject;
  throw modelProblem(`[${path}] must hold an object`);
}

function readText(path: string): string {
  if (statSync(path).size > MAX_TEXT_BYTES) throw modelProblem(`[${path}] has more than 64 MiB`);
  return readFileSync(path, 'utf8');
}

function section(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
