// `quarry models add | list | remove`: the sentence models of a data folder, whether or not a server
// uses it.
import { basename, resolve } from 'node:path';
import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import { localId } from '../embed/local/local-model.js';
import { probeModel } from '../embed/local/local-models.js';
import { ModelStore, type StoredModel } from '../embed/local/model-store.js';
import { runtimeFolder } from '../embed/local/runtime.js';
import { QuarryError } from '../errors.js';
import { readConfig } from './configuration.js';
import { argumentsOf, table, wholeFlag } from './reading.js';
import type { VerbContext } from './verb.js';

const ACTIONS = ['add', 'list', 'remove'];

export async function models(context: VerbContext): Promise<number> {
  const [action = '', ...rest] = context.rest;
  if (!ACTIONS.includes(action)) {
    throw new ConfigError(`unknown action [${action}] of models, there are add, list and remove`);
  }
  const flag = ['name', 'max-tokens'].find((name) => context.values.has(name));
  if (action !== 'add' && flag !== undefined) {
    throw new ConfigError(`--${flag} does not belong to this action`);
  }
  const { config } = readConfig(context);
  const store = new ModelStore(resolve(config['data_dir']));
  const given = { ...context, rest };
  if (action === 'add') await add(store, given, config);
  else if (action === 'remove') await remove(store, given);
  else list(store, given);
  return 0;
}

async function add(
  store: ModelStore,
  context: VerbContext,
  config: ReturnType<typeof readConfig>['config'],
): Promise<void> {
  const [folder = ''] = argumentsOf(context, 'DIR');
  const source = resolve(folder);
  const name = context.values.get('name') ?? nameOf(source);
  const { 'inference.timeout_ms': timeoutMs, 'inference.local_memory_bytes': memoryBytes } = config;
  const probe = probeModel({
    runtimeDir: runtimeFolder(config['inference.runtime_dir']),
    threads: 1,
    timeoutMs: () => timeoutMs,
    memoryBytes: () => memoryBytes,
  });
  const maxTokens = wholeFlag(context, 'max-tokens');
  const { dims, fingerprint, ...model } = await asMisuse(() =>
    store.add(source, name, { maxTokens, probe }),
  );
  const id = localId(name);
  if (context.json) {
    const shown = { name, inference_id: id, dims, max_tokens: model.maxTokens, fingerprint };
    context.print(JSON.stringify(shown));
    return;
  }
  context.print(`added ${name}: ${dims} dimensions, ${model.maxTokens} tokens of a text`);
  context.print(`Name it in mappings and namespaces by "inference_id": "${id}".`);
}

async function remove(store: ModelStore, context: VerbContext): Promise<void> {
  const [name = ''] = argumentsOf(context, 'NAME');
  await asMisuse(() => store.remove(name));
  context.print(
    context.json
      ? JSON.stringify({ name, removed: true })
      : `removed ${name}; fields that name it embed nothing until the same model is added again`,
  );
}

function list(store: ModelStore, context: VerbContext): void {
  argumentsOf(context);
  const found = store.names().map((name) => ({ name, ...readOne(store, name) }));
  if (context.json) {
    const shown = found.map(({ name, stored, problem }) => ({
      name,
      inference_id: localId(name),
      ...(problem === undefined ? {} : { problem }),
      ...(stored === undefined ? {} : shownModel(stored)),
    }));
    context.print(JSON.stringify(shown));
    return;
  }
  const rows = found.map(({ name, stored, problem }) => {
    if (stored === undefined) return [name, '-', '-', '-', problem ?? 'is gone'];
    const { dims, max_tokens, bytes, fingerprint } = shownModel(stored);
    return [name, String(dims), String(max_tokens), bytesText(bytes), fingerprint];
  });
  for (const line of table(['MODEL', 'DIMS', 'TOKENS', 'SIZE', 'FINGERPRINT'], rows)) {
    context.print(line);
  }
}

function shownModel({ model, manifest }: StoredModel) {
  const { dims, maxTokens, fingerprint } = model;
  const bytes = manifest.model.bytes + manifest.vocabulary.bytes;
  return { dims, max_tokens: maxTokens, bytes, fingerprint };
}

function readOne(
  store: ModelStore,
  name: string,
): { readonly stored?: StoredModel; readonly problem?: string } {
  try {
    const stored = store.find(name);
    return stored === undefined ? { problem: 'it has no description: remove it' } : { stored };
  } catch (error) {
    if (error instanceof QuarryError) return { problem: error.message };
    throw error;
  }
}

/** A name from the folder's; what a name cannot have becomes a hyphen. */
function nameOf(folder: string): string {
  const name = basename(folder).toLowerCase();
  return name.replaceAll(/[^a-z0-9_]+/g, '-').replaceAll(/^[-_]+|[-_]+$/g, '');
}

async function asMisuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QuarryError) throw new ConfigError(error.message);
    throw error;
  }
}
