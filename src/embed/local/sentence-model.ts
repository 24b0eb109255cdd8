// A sentence model of the shape of all-MiniLM: BERT, whose last layer is averaged over the tokens of
// a text. Runs in the process of the model.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_FILE, type ModelFiles, type StoredFile, VOCABULARY_FILE } from './model-manifest.js';
import type { Runtime, Session, Tensor } from './runtime.js';
import { WordPieceTokenizer } from './word-piece.js';

export type TextVector = Float32Array<ArrayBuffer> | string;

const IDS = 'input_ids';
const MASK = 'attention_mask';
const SEGMENTS = 'token_type_ids';
const PROBE = 'a text';
const MAX_DIMS = 4096;

export class SentenceModel {
  readonly dims: number;
  readonly #runtime: Runtime;
  readonly #session: Session;
  readonly #tokenizer: WordPieceTokenizer;

  private constructor(
    runtime: Runtime,
    session: Session,
    tokenizer: WordPieceTokenizer,
    dims: number,
  ) {
    this.#runtime = runtime;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.dims = dims;
  }

  /**
   * Reads the files of the folder, which must match their checksums, and embeds a text once. Throws
   * an error that continues the phrase "the local model [name]".
   */
  static async load(
    runtime: Runtime,
    folder: string,
    files: ModelFiles,
    threads: number,
  ): Promise<SentenceModel> {
    const vocabulary = readVerified(folder, VOCABULARY_FILE, files.vocabulary);
    const words = Buffer.from(vocabulary).toString('utf8').split('\n');
    const tokenizer = new WordPieceTokenizer(words, files.tokenizer, files.maxTokens);
    const bytes = readVerified(folder, MODEL_FILE, files.model);
    const session = await openSession(runtime, bytes, threads);
    checkInputs(session);
    const probe = new SentenceModel(runtime, session, tokenizer, 0);
    const { dims } = pooled(await probe.#run(tokenizer.encode(PROBE)));
    return new SentenceModel(runtime, session, tokenizer, dims);
  }

  /**
   * A vector of unit length, or why there is none. Each text is run alone: padding would cost as
   * much as words do, and a quantised model gives a text another vector beside other texts.
   */
  async embed(text: string): Promise<TextVector> {
    try {
      const { vector, dims } = pooled(await this.#run(this.#tokenizer.encode(text)));
      return dims === this.dims ? normalized(vector) : `gave a vector of ${dims} dimensions`;
    } catch (error) {
      return `cannot embed it: ${firstLine(error)}`;
    }
  }

  #run(
    ids: readonly number[],
  ): Promise<{ readonly output: Tensor; readonly mask: readonly number[] }> {
    return run(this.#runtime, this.#session, ids);
  }
}

function readVerified(folder: string, name: string, { bytes, sha256 }: StoredFile): Uint8Array {
  let content: Uint8Array;
  try {
    content = readFileSync(join(folder, name));
  } catch (error) {
    throw new Error(`cannot be read: ${firstLine(error)}`);
  }
  const digest = createHash('sha256').update(content).digest('hex');
  if (content.length === bytes && digest === sha256) return content;
  throw new Error(
    `does not match its checksum: [${name}] was changed after it was added, remove the model and add it again`,
  );
}

async function openSession(runtime: Runtime, bytes: Uint8Array, threads: number): Promise<Session> {
  try {
    return await runtime.InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw new Error(`is no ONNX model that this runtime reads: ${firstLine(error)}`);
  }
}

function checkInputs({ inputNames }: Session): void {
  const missing = [IDS, MASK].find((name) => !inputNames.includes(name));
  if (missing !== undefined) {
    throw new Error(
      `has the inputs [${inputNames.join(', ')}], expected [${IDS}], [${MASK}] and perhaps [${SEGMENTS}]`,
    );
  }
  const other = inputNames.find((name) => ![IDS, MASK, SEGMENTS].includes(name));
  if (other !== undefined) throw new Error(`has the input [${other}], which is not known`);
}

async function run(runtime: Runtime, session: Session, ids: readonly number[]) {
  const shape = [1, ids.length];
  const tensor = (values: BigInt64Array): Tensor => new runtime.Tensor('int64', values, shape);
  const mask = ids.map(() => 1);
  const feeds: Record<string, Tensor> = {
    [IDS]: tensor(BigInt64Array.from(ids, BigInt)),
    [MASK]: tensor(BigInt64Array.from(mask, BigInt)),
    ...(session.inputNames.includes(SEGMENTS)
      ? { [SEGMENTS]: tensor(new BigInt64Array(ids.length)) }
      : {}),
  };
  const outputs = await session.run(feeds);
  // Models with several outputs have the last layer first, or by this name.
  const output = outputs['last_hidden_state'] ?? outputs[session.outputNames[0] ?? ''];
  if (output === undefined) throw new Error('has no output');
  return { output, mask };
}

interface Pooled {
  readonly vector: Float64Array;
  readonly dims: number;
}

/** The mean of the rows of the tokens that the mask holds. */
function pooled({
  output,
  mask,
}: {
  readonly output: Tensor;
  readonly mask: readonly number[];
}): Pooled {
  const { type, dims: shape, data } = output;
  const [rows, tokens, dims = 0] = shape;
  const fits = shape.length === 3 && rows === 1 && tokens === mask.length;
  if (!fits || type !== 'float32' || !(data instanceof Float32Array)) {
    throw new Error(
      `has an output of type [${type}] and shape [${shape.join(', ')}], expected [float32] of [1, ${mask.length}, dimensions], a vector for each token`,
    );
  }
  if (dims < 1 || dims > MAX_DIMS || data.length !== tokens * dims) {
    throw new Error(`makes vectors of ${dims} dimensions, from 1 to ${MAX_DIMS} can be stored`);
  }
  const vector = new Float64Array(dims);
  const count = mask.reduce((sum, one) => sum + one, 0);
  for (const [token, weight] of mask.entries()) {
    for (let i = 0; i < dims; i++) {
      vector[i] = (vector[i] ?? 0) + (weight * (data[token * dims + i] ?? 0)) / count;
    }
  }
  return { vector, dims };
}

function normalized(vector: Float64Array): TextVector {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm)) return 'gave numbers that are not finite';
  if (norm === 0) return 'gave a vector of zeros';
  return Float32Array.from(vector, (value) => value / norm);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').slice(0, 300);
}
