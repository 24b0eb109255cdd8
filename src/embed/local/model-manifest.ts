// The description of a stored model, model.json in its folder:
//   {"format": 1, "dims": 384, "max_tokens": 256, "tokenizer": {"lowercase": true, …},
//   "files": {"model.onnx": {"bytes": …, "sha256": …}, "vocab.txt": …}}
// followed by a line with its checksum (durable-file.ts).
import type { Json, JsonObject } from '../../backend/index.js';
import { CHECKED, sha256 } from '../../base/durable-file.js';
import { printExact } from '../../base/exact-json.js';
import type { LocalModel } from './local-model.js';
import type { TokenizerOptions } from './word-piece.js';

export const MANIFEST = 'model.json';
export const MODEL_FILE = 'model.onnx';
export const VOCABULARY_FILE = 'vocab.txt';

export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** What the process of a model needs to read it. */
export interface ModelFiles {
  readonly model: StoredFile;
  readonly vocabulary: StoredFile;
  readonly tokenizer: TokenizerOptions;
  readonly maxTokens: number;
}

export interface ModelManifest extends ModelFiles {
  readonly dims: number;
}

const FORMAT = 1;
const FINGERPRINT_DIGITS = 16;
const SHA256 = /^[0-9a-f]{64}$/;

export function modelOf(name: string, manifest: ModelManifest): LocalModel {
  const { dims, maxTokens, model, vocabulary, tokenizer } = manifest;
  const decisive = {
    model: model.sha256,
    vocabulary: vocabulary.sha256,
    tokenizer: printedTokenizer(tokenizer),
    max_tokens: maxTokens,
  };
  const fingerprint = sha256(printExact(decisive)).slice(0, FINGERPRINT_DIGITS);
  return { name, dims, maxTokens, fingerprint };
}

export function printManifest(manifest: ModelManifest): string {
  const { dims, maxTokens, model, vocabulary, tokenizer } = manifest;
  return CHECKED.encode({
    format: FORMAT,
    dims,
    max_tokens: maxTokens,
    tokenizer: printedTokenizer(tokenizer),
    files: { [MODEL_FILE]: { ...model }, [VOCABULARY_FILE]: { ...vocabulary } },
  });
}

/** Throws an error that says what is wrong with the text. */
export function readManifest(text: string): ModelManifest {
  const { format, dims, max_tokens, tokenizer, files } = CHECKED.decode(text);
  if (format !== FORMAT) throw new Error(`it has the format [${String(format)}]`);
  const options = object(tokenizer);
  const stored = object(files);
  return {
    dims: whole(dims),
    maxTokens: whole(max_tokens),
    tokenizer: {
      lowercase: options['lowercase'] === true,
      stripAccents: options['strip_accents'] === true,
      separatesIdeographs: options['separates_ideographs'] === true,
    },
    model: storedFile(stored[MODEL_FILE]),
    vocabulary: storedFile(stored[VOCABULARY_FILE]),
  };
}

function printedTokenizer(options: TokenizerOptions): JsonObject {
  return {
    lowercase: options.lowercase,
    strip_accents: options.stripAccents,
    separates_ideographs: options.separatesIdeographs,
  };
}

function object(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new Error('it lacks members');
}

function whole(value: Json | undefined): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new Error('it has a number that cannot be');
}

function storedFile(value: Json | undefined): StoredFile {
  const { bytes, sha256: digest } = object(value);
  if (typeof digest === 'string' && SHA256.test(digest))
    return { bytes: whole(bytes), sha256: digest };
  throw new Error('it has no checksum of a file');
}
