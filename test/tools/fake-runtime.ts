// A package onnxruntime-node for tests: it has the interface of the real one, reads a "model" that is
// JSON, and gives each token a vector that follows from its id. Some of its models misbehave.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a model of the package does: its dimensions, and one of the ways to go wrong. */
export interface FakeModel {
  readonly dims: number;
  readonly inputs?: readonly string[];
  readonly fails?:
    | 'create'
    | 'run'
    | 'crash'
    | 'crash-at-start'
    | 'hang'
    | 'memory'
    | 'zeros'
    | 'nan'
    | 'shape';
  /** Makes `fails` apply only to texts of this many tokens. */
  readonly atTokens?: number;
}

export const FAKE_VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  ...'abcdefghijklmnopqrstuvwxyz',
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `##${letter}`),
  'cat',
  'dog',
  'boat',
];

const CODE = `
class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
class InferenceSession {
  static async create(bytes) {
    let model;
    try { model = JSON.parse(Buffer.from(bytes).toString('utf8')); }
    catch { throw new Error('protobuf parsing failed'); }
    if (model.fails === 'create') throw new Error('no such operator');
    if (model.fails === 'crash-at-start') process.kill(process.pid, 'SIGSEGV');
    const session = new InferenceSession();
    session.model = model;
    session.inputNames = model.inputs ?? ['input_ids', 'attention_mask', 'token_type_ids'];
    session.outputNames = ['last_hidden_state'];
    return session;
  }
  async run(feeds) {
    for (const name of this.inputNames) {
      if (feeds[name]?.type !== 'int64') throw new Error('missing input ' + name);
    }
    const ids = [...feeds.input_ids.data].map(Number);
    const { dims, fails, atTokens } = this.model;
    const misbehaves = atTokens === undefined || ids.length === atTokens;
    if (misbehaves && fails === 'run') throw new Error('indices element out of data bounds');
    if (misbehaves && fails === 'crash') { process.kill(process.pid, 'SIGSEGV'); for (;;) {} }
    if (misbehaves && fails === 'hang') for (;;) {}
    if (misbehaves && fails === 'memory') {
      const held = [];
      for (;;) { held.push(Buffer.alloc(16 << 20, 1)); await new Promise((go) => setTimeout(go, 5)); }
    }
    const data = new Float32Array(ids.length * dims);
    for (const [at, id] of ids.entries()) {
      for (let i = 0; i < dims; i++) data[at * dims + i] = Math.sin(id * (i + 1));
    }
    if (misbehaves && fails === 'zeros') data.fill(0);
    if (misbehaves && fails === 'nan') data.fill(NaN);
    const shape = fails === 'shape' ? [1, dims] : [1, ids.length, dims];
    return { last_hidden_state: new Tensor('float32', data, shape) };
  }
}
module.exports = { InferenceSession, Tensor };
`;

/** Installs the package in a folder. */
export function installFakeRuntime(folder: string, code = CODE): void {
  const at = join(folder, 'node_modules', 'onnxruntime-node');
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'package.json'), '{"name": "onnxruntime-node", "main": "index.js"}');
  writeFileSync(join(at, 'index.js'), code);
}

/** Writes a folder as people publish models. */
export function writeFakeModel(
  folder: string,
  model: FakeModel,
  files: Readonly<Record<string, string>> = {},
): void {
  mkdirSync(folder, { recursive: true });
  const all = {
    'model.onnx': JSON.stringify(model),
    'vocab.txt': `${FAKE_VOCABULARY.join('\n')}\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The vector of a text whose tokens, without [CLS] and [SEP], are these. */
export function fakeVector(tokens: readonly string[], dims: number): Float32Array {
  const ids = ['[CLS]', ...tokens, '[SEP]'].map((token) => FAKE_VOCABULARY.indexOf(token));
  const sums = Array.from({ length: dims }, (_, i) =>
    ids.reduce((sum, id) => sum + Math.fround(Math.sin(id * (i + 1))), 0),
  );
  const norm = Math.hypot(...sums);
  return Float32Array.from(sums, (value) => value / norm);
}
