// The models of a data folder, each in models/NAME: model.onnx, vocab.txt and model.json, which holds
// their checksums. They are added and removed by the command line, also while the folder is served:
// a model appears and goes by one renaming.

import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode, makeFolder, syncFolder, UNFINISHED } from '../../base/durable-file.js';
import { QuarryError } from '../../errors.js';
import { type LocalModel, nameProblem } from './local-model.js';
import {
  MANIFEST,
  MODEL_FILE,
  type ModelFiles,
  type ModelManifest,
  modelOf,
  printManifest,
  readManifest,
  type StoredFile,
  VOCABULARY_FILE,
} from './model-manifest.js';
import { modelProblem, readModelSource } from './model-source.js';

const FOLDER = 'models';

/** Loads a model once; the length of its vectors. Rejects with what is wrong with it. */
export type ProbeModel = (folder: string, files: ModelFiles) => Promise<number>;

export interface StoredModel {
  readonly model: LocalModel;
  readonly manifest: ModelManifest;
  readonly folder: string;
}

interface CachedModel extends StoredModel {
  readonly modified: number;
}

export class ModelStore {
  readonly #folder: string;
  /** By name; an entry is that of the file of its time. */
  readonly #known = new Map<string, CachedModel>();

  constructor(dataDir: string) {
    this.#folder = join(dataDir, FOLDER);
  }

  /** Sorted; includes models that cannot be read. */
  names(): readonly string[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#folder);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
    // A name cannot have the dot of an unfinished folder.
    return names.filter((name) => nameProblem(name) === undefined).sort();
  }

  /** Undefined if there is none of that name. Throws illegal_argument_exception for a damaged one. */
  find(name: string): StoredModel | undefined {
    if (nameProblem(name) !== undefined) return undefined;
    const folder = join(this.#folder, name);
    const path = join(folder, MANIFEST);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (modified === undefined) return undefined;
    const known = this.#known.get(name);
    if (known?.modified === modified) return known;
    const manifest = this.#read(name, path);
    const found = { folder, manifest, model: modelOf(name, manifest), modified };
    this.#known.set(name, found);
    return found;
  }

  #read(name: string, path: string): ModelManifest {
    try {
      return readManifest(readFileSync(path, 'utf8'));
    } catch (error) {
      throw modelProblem(
        `the local model [${name}] cannot be used, [${path}] is damaged (${(error as Error).message}): remove the model and add it again`,
      );
    }
  }

  /** Copies a model from a folder. Nothing is kept of one that `probe` rejects. */
  async add(
    source: string,
    name: string,
    options: { readonly maxTokens: number | undefined; readonly probe: ProbeModel },
  ): Promise<LocalModel> {
    const problem = nameProblem(name);
    if (problem !== undefined) throw modelProblem(problem);
    if (this.names().includes(name)) {
      throw new QuarryError(
        'resource_already_exists_exception',
        `there is a model [${name}]: give this one another --name, or remove that one first`,
      );
    }
    const { modelPath, vocabulary, tokenizer, maxTokens } = readModelSource(
      source,
      options.maxTokens,
    );
    await makeFolder(this.#folder);
    const unfinished = join(this.#folder, `${name}${UNFINISHED}`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    try {
      const model = await stored(join(unfinished, MODEL_FILE), (path) => copyFile(modelPath, path));
      const words = await stored(join(unfinished, VOCABULARY_FILE), (path) =>
        writeFile(path, vocabulary),
      );
      const files = { model, vocabulary: words, tokenizer, maxTokens };
      const manifest = { ...files, dims: await options.probe(unfinished, files) };
      await stored(join(unfinished, MANIFEST), (path) => writeFile(path, printManifest(manifest)));
      await syncFolder(unfinished);
      await rename(unfinished, join(this.#folder, name));
      await syncFolder(this.#folder);
      return modelOf(name, manifest);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /** Removes a model, also one that cannot be read. Throws resource_not_found_exception. */
  async remove(name: string): Promise<void> {
    if (!this.names().includes(name)) throw modelNotFound(name, this.names());
    const removed = join(this.#folder, `${name}${UNFINISHED}`);
    await rm(removed, { recursive: true, force: true });
    await rename(join(this.#folder, name), removed);
    await syncFolder(this.#folder);
    await rm(removed, { recursive: true, force: true });
  }
}

function modelNotFound(name: string, names: readonly string[]): QuarryError {
  const there = names.length === 0 ? 'there is none' : `there are [${names.join(', ')}]`;
  return new QuarryError('resource_not_found_exception', `there is no model [${name}], ${there}`);
}

/** Writes a file durably and returns its checksum. */
async function stored(path: string, write: (path: string) => Promise<void>): Promise<StoredFile> {
  await write(path);
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
