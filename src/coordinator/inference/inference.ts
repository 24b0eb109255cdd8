// The inference endpoints of this node: their registry, their use in mappings, and requests for
// vectors. The embedder of a field is determined once, when its mapping is created.
import type { InferenceDeletion, InferenceEndpoints, JsonObject } from '../../backend/index.js';
import { BUILTIN_IDS, type BuiltinId, isBuiltin } from '../../base/builtin-embedders.js';
import type { AllowedHosts } from '../../embed/allowed-hosts.js';
import type { AllowedKeys } from '../../embed/allowed-keys.js';
import type { TextResult } from '../../embed/answer-reader.js';
import { BUILTIN_DIMS, BuiltinEmbedder } from '../../embed/builtin.js';
import { identityOf, type RemoteEndpoint, type TextEndpoint } from '../../embed/endpoint.js';
import {
  type Definition,
  isReranker,
  printDefinition,
  type RerankService,
  readDefinition,
  type Task,
  taskOf,
} from '../../embed/endpoint-body.js';
import { localId, localName, nameInIdentity } from '../../embed/local/local-model.js';
import type { ModelStore } from '../../embed/local/model-store.js';
import type { QueryEmbedder, QueryText } from '../../embed/query-embedder.js';
import type { EndpointRegistry } from '../../embed/registry.js';
import type { EmbedOptions, RemoteEmbedder } from '../../embed/remote.js';
import type {
  RankedDocument,
  Reranker,
  RerankOptions,
  RerankRequest,
} from '../../embed/reranker.js';
import { QuarryError } from '../../errors.js';
import type { Addon } from '../../native/addon.js';
import type { WantedTexts } from '../../wire/wanted-texts.js';
import type { Catalog } from '../catalog/catalog.js';
import { inferenceInput, mergedDefinition, rerankInput, shortest } from './inference-bodies.js';

export interface InferenceOptions {
  readonly catalog: Catalog;
  readonly registry: EndpointRegistry;
  readonly hosts: AllowedHosts;
  readonly keys: AllowedKeys;
  readonly remote: Pick<RemoteEmbedder, 'embed' | 'reserve'>;
  readonly models: Pick<ModelStore, 'find' | 'names'>;
  readonly reranker: Pick<Reranker, 'rerank'>;
  readonly addon: Pick<Addon, 'embed' | 'embedTerms'>;
  /**
   * Runs a change while no mapping is being changed, because a new mapping may name the endpoint.
   */
  readonly alone: <T>(change: () => Promise<T>) => Promise<T>;
}

const ID = /^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/;
const MAX_ID = 64;
type RerankDefinition = Extract<Definition, { readonly service: RerankService }>;
type BuiltinDefinition = Extract<Definition, { readonly service: 'quarry' }>;

export class Inference implements InferenceEndpoints, QueryEmbedder {
  readonly #options: InferenceOptions;

  constructor(options: InferenceOptions) {
    this.#options = options;
  }

  async put(id: string, body: JsonObject, task?: Task): Promise<JsonObject> {
    checkId(id);
    const definition = this.#checked(readDefinition(body, task));
    return this.#options.alone(async () => {
      if (isBuiltin(id) || this.#options.registry.has(id)) {
        throw new QuarryError(
          'resource_already_exists_exception',
          `Inference endpoint [${id}] already exists`,
        );
      }
      await this.#options.registry.put(id, definition);
      return printed(id, definition);
    });
  }

  update(id: string, body: JsonObject): Promise<JsonObject> {
    return this.#options.alone(() => this.#update(id, body));
  }
  async #update(id: string, body: JsonObject): Promise<JsonObject> {
    const present = this.#known(id);
    if (isBuiltin(id)) throw bad(`[${id}] is a built-in embedder, it cannot change`);
    if (localName(id) !== undefined) {
      throw bad(`[${id}] is a local model, it cannot change: add another with [quarry models add]`);
    }
    const definition = this.#checked(mergedDefinition(present, body));
    const users = this.#usersOf(id);
    if (users.length > 0 && identity(present) !== identity(definition)) {
      throw bad(
        `Inference endpoint [${id}] is used by the indexes [${users.join(', ')}], whose vectors are of [${identity(present)}]: ` +
          `[${identity(definition)}] would make others; register it under another name and reindex`,
      );
    }
    await this.#options.registry.put(id, definition);
    return printed(id, definition);
  }

  /** All endpoints including the built-in ones if `id` is undefined. */
  get(id: string | undefined): readonly JsonObject[] {
    if (id !== undefined) return [printed(id, this.#known(id))];
    const registered = this.#options.registry.entries();
    const builtin = BUILTIN_IDS.map((one) => [one, builtinOf(one)] as const);
    return [...builtin, ...this.#localModels(), ...registered].map(([name, one]) =>
      printed(name, one),
    );
  }

  remove(
    id: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<InferenceDeletion> {
    return this.#options.alone(() => this.#remove(id, options));
  }
  async #remove(
    id: string,
    options: { readonly force: boolean; readonly dryRun: boolean },
  ): Promise<InferenceDeletion> {
    if (isBuiltin(id)) throw bad(`[${id}] is a built-in embedder, it cannot be deleted`);
    const model = localName(id);
    if (model !== undefined) {
      this.#known(id);
      throw bad(`[${id}] is a local model: remove it with [quarry models remove ${model}]`);
    }
    // An unreadable endpoint can be removed as well.
    if (!this.#options.registry.has(id)) throw notFound(id);
    const indexes = this.#usersOf(id);
    if (options.dryRun) return { acknowledged: indexes.length === 0, indexes };
    if (indexes.length > 0 && !options.force) {
      throw new QuarryError(
        'illegal_argument_exception',
        `Inference endpoint [${id}] is being used in the mapping for indexes: [${indexes.join(', ')}]. Ensure that no index ` +
          'mappings are using this inference endpoint, or use force to ignore this warning and delete the inference endpoint.',
        { status: 409 },
      );
    }
    await this.#options.registry.remove(id);
    return { acknowledged: true, indexes };
  }

  /** `{input}` to `{text_embedding: [{embedding}]}`. */
  async infer(id: string, body: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const definition = this.#known(id);
    if (isReranker(definition)) {
      const { topN, showsDocuments, ...request } = rerankInput(body);
      const ranked = await this.#rerank(
        definition,
        { ...request, topN },
        { signal, trusted: true },
      );
      return {
        rerank: ranked.slice(0, topN).map(({ index, score }) => ({
          index,
          relevance_score: score,
          ...(showsDocuments ? { text: request.documents[index] ?? '' } : {}),
        })),
      };
    }
    const texts = inferenceInput(body);
    const vectors =
      definition.service === 'quarry'
        ? await this.#embedHere(texts, definition)
        : vectorsOrThrow(
            await this.#options.remote.embed(endpointIn(definition), texts, {
              urgent: true,
              trusted: true,
              signal,
            }),
          );
    return {
      text_embedding: vectors.map((vector) => ({ embedding: Array.from(vector, shortest) })),
    };
  }

  /** The documents that a registered reranker ranked, best first. */
  async rerank(
    id: string,
    request: RerankRequest,
    signal?: AbortSignal,
  ): Promise<readonly RankedDocument[]> {
    return this.#rerank(this.#knownReranker(id), request, { signal });
  }
  /** Throws unless a reranker is registered under that name. */
  checkReranker(id: string): void {
    this.#knownReranker(id);
  }
  #knownReranker(id: string): RerankDefinition {
    const definition = this.#known(id);
    if (isReranker(definition)) return definition;
    throw bad(
      `Inference endpoint [${id}] has the task type [${taskOf(definition)}], expected one of [rerank]: register a reranker with PUT /_inference/rerank/{id}`,
    );
  }
  #rerank({ endpoint }: RerankDefinition, request: RerankRequest, options: RerankOptions) {
    return this.#options.reranker.rerank(endpoint, request, options);
  }

  /** Undefined for a name that is not registered. */
  find(id: string): Definition | undefined {
    if (isBuiltin(id)) return builtinOf(id);
    const name = localName(id);
    if (name === undefined) return this.#options.registry.get(id);
    const stored = this.#options.models.find(name);
    return stored === undefined ? undefined : { service: 'local', model: stored.model };
  }
  names(): readonly string[] {
    const local = this.#options.models.names().map(localId);
    return [...BUILTIN_IDS, ...local, ...this.#options.registry.entries().map(([id]) => id)];
  }
  /** Those that can be read. */
  #localModels(): readonly (readonly [string, Definition])[] {
    const { models } = this.#options;
    return models.names().flatMap((name): [string, Definition][] => {
      try {
        const stored = models.find(name);
        if (stored === undefined) return [];
        return [[localId(name), { service: 'local', model: stored.model }]];
      } catch (error) {
        if (error instanceof QuarryError) return [];
        throw error;
      }
    });
  }
  /**
   * Throws illegal_argument_exception unless the configuration allows sending texts and key to the
   * endpoint; error messages prefix the names of its settings with `path`.
   */
  checkAllowed(endpoint: RemoteEndpoint, path = ''): void {
    const { hosts, keys } = this.#options;
    hosts.check(endpoint.url, `${path}url`);
    keys.check(endpoint, `${path}api_key_env`);
  }

  async vectorsOf(
    requests: readonly QueryText[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const texts = new Map<string, Set<string>>();
    for (const { embedder, text } of requests) {
      const set = texts.get(embedder);
      if (set === undefined) texts.set(embedder, new Set([text]));
      else set.add(text);
    }
    const found = new Map<string, Float32Array>();
    const key = (embedder: string, text: string): string => `${embedder}\0${text}`;
    await Promise.all(
      [...texts].map(async ([embedder, set]) => {
        const list = [...set];
        // Searches have a limit of their own, so that waiting writes cannot block them.
        const options = { urgent: true, reserved: true, signal } as const;
        const vectors = vectorsOrThrow(await this.embed(embedder, list, options));
        for (const [i, text] of list.entries()) {
          const vector = vectors[i];
          if (vector !== undefined) found.set(key(embedder, text), vector);
        }
      }),
    );
    return requests.map(({ embedder, text }) => {
      const vector = found.get(key(embedder, text));
      if (vector === undefined) throw new Error('an embedder returned fewer vectors than texts');
      return vector;
    });
  }

  /**
   * Embeds the texts of a write, one result per text, and reserves memory for them until `work` has
   * finished with the results. Rejects only where RemoteEmbedder.embed does, before `work` has
   * begun.
   */
  async whileEmbedded<T>(
    wanted: readonly WantedTexts[],
    work: (results: readonly (readonly TextResult[])[]) => Promise<T>,
  ): Promise<T> {
    const rooms: (() => void)[] = [];
    try {
      for (const { embedder, texts } of wanted) {
        const endpoint = this.#endpointOf(embedder);
        if (endpoint !== undefined) rooms.push(this.#options.remote.reserve(endpoint, texts));
      }
      const embedded = wanted.map(({ embedder, texts }) =>
        this.embed(embedder, texts, { reserved: true }),
      );
      return await work(await Promise.all(embedded));
    } finally {
      for (const leave of rooms) leave();
    }
  }

  /**
   * One result per text by the embedder with that identity; a mapping or a registered endpoint must
   * describe how to reach it.
   */
  async embed(
    embedder: string,
    texts: readonly string[],
    options: EmbedOptions,
  ): Promise<readonly TextResult[]> {
    const endpoint = this.#endpointOf(embedder);
    if (endpoint !== undefined) return this.#options.remote.embed(endpoint, texts, options);
    const name = nameInIdentity(embedder);
    const why =
      name === undefined
        ? `no inference endpoint leads to the embedder [${embedder}] any more: register it again with PUT /_inference/{id}`
        : this.#whyNoModel(name, embedder);
    return texts.map(() => why);
  }

  #whyNoModel(name: string, identity: string): string {
    const stored = this.#options.models.find(name);
    if (stored === undefined) {
      return `the local model [${name}], which the field names, is not there: add it again with [quarry models add]`;
    }
    return (
      `the local model [${name}] is another than the one that made the vectors of the field, ` +
      `[${identityOf(stored.model)}] is not [${identity}]: bring that one back, or add this one by another name and reindex`
    );
  }

  #endpointOf(embedder: string): TextEndpoint | undefined {
    const name = nameInIdentity(embedder);
    if (name !== undefined) {
      const model = this.#options.models.find(name)?.model;
      return model !== undefined && identityOf(model) === embedder ? model : undefined;
    }
    for (const [, definition] of this.#options.registry.entries()) {
      if (definition.service === 'openai' && identity(definition) === embedder) {
        return definition.endpoint;
      }
    }
    for (const { embedders } of this.#options.catalog.indexes()) {
      const endpoint = embedders.get(embedder)?.endpoint;
      if (endpoint !== undefined) return endpoint;
    }
    return undefined;
  }

  async #embedHere(
    texts: readonly string[],
    { dims, model }: BuiltinDefinition,
  ): Promise<readonly Float32Array[]> {
    const vectors = await new BuiltinEmbedder(this.#options.addon, dims, model).embed(texts);
    return vectors.map((vector) => vector ?? new Float32Array(dims));
  }

  #known(id: string): Definition {
    const definition = this.find(id);
    if (definition !== undefined) return definition;
    throw notFound(id);
  }

  #checked(definition: Definition): Definition {
    if ('endpoint' in definition) this.checkAllowed(definition.endpoint);
    return definition;
  }

  #usersOf(id: string): readonly string[] {
    const users: string[] = [];
    for (const { name, embedders } of this.#options.catalog.indexes()) {
      if ([...embedders.values()].some(({ ids }) => ids.has(id))) users.push(name);
    }
    return users.sort();
  }
}

function builtinOf(model: BuiltinId): BuiltinDefinition {
  return { service: 'quarry', model, dims: BUILTIN_DIMS };
}

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

function notFound(id: string): QuarryError {
  return new QuarryError('resource_not_found_exception', `Inference endpoint not found [${id}]`);
}

function checkId(id: string): void {
  if (ID.test(id) && id.length <= MAX_ID && id !== '_all') return;
  throw bad(
    `Invalid inference_id; [${id}] can contain lowercase alphanumeric (a-z and 0-9), hyphens, underscores or dots; must ` +
      `start and end with alphanumeric characters and have at most ${MAX_ID} of them`,
  );
}

function identity(definition: Definition): string {
  return definition.service === 'quarry' ? definition.model : identityOf(endpointIn(definition));
}

function endpointIn(definition: Exclude<Definition, { readonly service: 'quarry' }>): TextEndpoint {
  return definition.service === 'local' ? definition.model : definition.endpoint;
}

function printed(id: string, definition: Definition): JsonObject {
  return { inference_id: id, task_type: taskOf(definition), ...printDefinition(definition) };
}

function vectorsOrThrow(results: readonly TextResult[]): readonly Float32Array[] {
  return results.map((result) => {
    if (typeof result !== 'string') return result;
    throw new QuarryError('inference_exception', result);
  });
}
