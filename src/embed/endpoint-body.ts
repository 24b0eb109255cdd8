// Parses definitions of inference endpoints: the form of Elasticsearch ({service, service_settings,
// task_settings}), the short form ({url, model, api_key_env, dims}), and `inference_endpoint` of a
// mapping (which may also be a URL). Prints them in the form of Elasticsearch.
import type { Json, JsonObject } from '../backend/index.js';
import { BUILTIN_ID, BUILTIN_IDS, type BuiltinId, isBuiltin } from '../base/builtin-embedders.js';
import { QuarryError } from '../errors.js';
import { BUILTIN_DIMS } from './builtin.js';
import { completeUrl, MAX_DIMS, type RemoteEndpoint } from './endpoint.js';
import type { LocalModel } from './local/local-model.js';
import type { RerankEndpoint } from './reranker.js';

/** Accepted service names: any OpenAI-compatible service, and the built-in embedder. */
export const SERVICES = ['openai', 'quarry'] as const;
/** Services that rank documents; they share the form of requests and answers. */
export const RERANK_SERVICES = ['cohere', 'jinaai'] as const;
export type RerankService = (typeof RERANK_SERVICES)[number];

export const TASKS = ['text_embedding', 'rerank'] as const;
export type Task = (typeof TASKS)[number];

export type Definition =
  | { readonly service: 'openai'; readonly endpoint: RemoteEndpoint }
  | { readonly service: RerankService; readonly endpoint: RerankEndpoint }
  | { readonly service: 'quarry'; readonly model: BuiltinId; readonly dims: number }
  /** A model of the data folder; never registered, so never read from a body. */
  | { readonly service: 'local'; readonly model: LocalModel };

/** The default URL of `service: "openai"`. */
const OPENAI_URL = 'https://api.openai.com/v1/embeddings';
const RERANK_URLS: Readonly<Record<RerankService, string>> = {
  cohere: 'https://api.cohere.com/v2/rerank',
  jinaai: 'https://api.jina.ai/v1/rerank',
};
const ALL_SERVICES = [...SERVICES, ...RERANK_SERVICES].join(', ');
const MAX_TEXT = 256;
const MAX_PER_MINUTE = 1_000_000;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** Characters that an HTTP header may contain. */
const HEADER = /^[\x20-\x7e]*$/;
const SHORT_KEYS = ['url', 'model', 'api_key_env', 'dims'];
const SETTINGS_KEYS = [
  'url',
  'model_id',
  'api_key_env',
  'dimensions',
  'dims',
  'similarity',
  'organization_id',
  'rate_limit',
];

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

export function taskOf({ service }: Definition): Task {
  return isRerankService(service) ? 'rerank' : 'text_embedding';
}

export function isReranker(
  definition: Definition,
): definition is Extract<Definition, { readonly service: RerankService }> {
  return isRerankService(definition.service);
}

function isRerankService(service: string): service is RerankService {
  return (RERANK_SERVICES as readonly string[]).includes(service);
}

/** Parses the body of PUT /_inference/{task}/{id}; `task` is undefined if the path names none. */
export function readDefinition(body: JsonObject, task?: Task): Definition {
  const definition = readAny(body, task);
  if (task === undefined || task === taskOf(definition)) return definition;
  throw bad(
    `[${definition.service}] has the task type [${taskOf(definition)}], not [${task}]: register it at /_inference/${taskOf(definition)}/{id}`,
  );
}

function readAny(body: JsonObject, task: Task | undefined): Definition {
  if (body['service'] === undefined && body['url'] !== undefined) {
    if (task === 'rerank') return { service: 'jinaai', endpoint: readShortRerank(body) };
    return { service: 'openai', endpoint: readShortForm(body, '') };
  }
  refuseUnknown(body, '', ['service', 'service_settings', 'task_settings', ...SHORT_KEYS]);
  const service = text(body, 'service', '');
  if (service === undefined) {
    throw missing('service', `one of [${ALL_SERVICES}], or [url] for the short form`);
  }
  const short = SHORT_KEYS.find((key) => body[key] !== undefined);
  if (short !== undefined) throw bad(`[${short}] belongs in [service_settings], next to [service]`);
  const settings = section(body, 'service_settings');
  const taskSettings = section(body, 'task_settings');
  if (service === 'openai') return { service, endpoint: readOpenAi(settings, taskSettings) };
  if (service === 'quarry') return readBuiltin(settings, taskSettings);
  if (isRerankService(service))
    return { service, endpoint: readRerank(service, settings, taskSettings) };
  if (service === 'local') {
    throw bad(
      '[local] models are not registered: add one with [quarry models add], its [inference_id] is then [local:NAME]',
    );
  }
  throw bad(`Unknown service [${service}], expected one of [${ALL_SERVICES}]`);
}

/** Parses `{url, model, api_key_env}`. */
function readShortRerank(body: JsonObject): RerankEndpoint {
  refuseUnknown(body, '', ['url', 'model', 'api_key_env']);
  const url = text(body, 'url', '');
  if (url === undefined) throw missing('url', 'the URL of a reranking service');
  const model = text(body, 'model', '');
  const apiKeyEnv = variable(body, '');
  return {
    url: completeUrl(url, 'url', '/rerank'),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
  };
}

function readRerank(
  service: RerankService,
  settings: JsonObject,
  task: JsonObject,
): RerankEndpoint {
  const path = 'service_settings';
  refuseUnknown(settings, path, ['url', 'model_id', 'api_key_env', 'rate_limit']);
  refuseUnknown(task, 'task_settings', []);
  const url = text(settings, 'url', path) ?? RERANK_URLS[service];
  const model = text(settings, 'model_id', path);
  const apiKeyEnv = variable(settings, path);
  const requestsPerMinute = rate(settings);
  return {
    url: completeUrl(url, 'service_settings.url', '/rerank'),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
}

/**
 * Parses `{url, model, api_key_env, dims}`. `path` is its location in a mapping, empty for a whole
 * body.
 */
export function readShortForm(value: Json, path: string): RemoteEndpoint {
  if (!isObject(value)) throw bad(`[${path}] must be an object, got ${kindOf(value)}`);
  refuseUnknown(value, path, SHORT_KEYS);
  const url = text(value, 'url', path);
  if (url === undefined) throw missing(inside(path, 'url'), 'the URL of an embeddings service');
  const model = text(value, 'model', path);
  const apiKeyEnv = variable(value, path);
  const dims = whole(value, 'dims', path, MAX_DIMS);
  return {
    url: completeUrl(url, inside(path, 'url')),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(dims === undefined ? {} : { dims }),
  };
}

/**
 * Parses `inference_endpoint` of a mapping, a URL or the short form. `model` is the `inference_id`
 * next to it, if present.
 */
export function readMappedEndpoint(
  value: Json,
  model: Json | undefined,
  path: string,
): RemoteEndpoint {
  const endpoint = readShortForm(typeof value === 'string' ? { url: value } : value, path);
  if (model === undefined) return endpoint;
  if (typeof model !== 'string' || model.trim() === '') {
    throw bad(`[inference_id] next to [${path}] must be the name of a model there`);
  }
  if (endpoint.model !== undefined && endpoint.model !== model) {
    throw bad(
      `[${inside(path, 'model')}] is [${endpoint.model}] and [inference_id] is [${model}], both name the model: give one of them`,
    );
  }
  return { ...endpoint, model };
}

function readOpenAi(settings: JsonObject, task: JsonObject): RemoteEndpoint {
  const path = 'service_settings';
  refuseUnknown(settings, path, SETTINGS_KEYS);
  refuseUnknown(task, 'task_settings', ['user']);
  const model = text(settings, 'model_id', path);
  const url = text(settings, 'url', path);
  if (model === undefined && url === undefined) {
    throw missing('service_settings.model_id', 'the name of the model');
  }
  const similarity = text(settings, 'similarity', path);
  if (similarity !== undefined && similarity !== 'cosine') {
    throw bad(`[service_settings.similarity] must be [cosine], got [${similarity}]`);
  }
  const requested = whole(settings, 'dimensions', path, MAX_DIMS);
  const dims = whole(settings, 'dims', path, MAX_DIMS);
  if (requested !== undefined && dims !== undefined) {
    throw bad(
      '[service_settings] has both [dimensions], which is requested from the service, and [dims], which declares what it returns: give one',
    );
  }
  const apiKeyEnv = variable(settings, path);
  const organization = text(settings, 'organization_id', path);
  const user = text(task, 'user', 'task_settings');
  const requestsPerMinute = rate(settings);
  const length = requested ?? dims;
  return {
    url: completeUrl(url ?? OPENAI_URL, 'service_settings.url'),
    ...(model === undefined ? {} : { model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(length === undefined ? {} : { dims: length }),
    ...(requested === undefined ? {} : { asksDims: true }),
    ...(organization === undefined ? {} : { organization }),
    ...(user === undefined ? {} : { user }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
}

function readBuiltin(settings: JsonObject, task: JsonObject): Definition {
  refuseUnknown(settings, 'service_settings', ['model_id', 'dimensions', 'similarity']);
  refuseUnknown(task, 'task_settings', []);
  const model = text(settings, 'model_id', 'service_settings') ?? BUILTIN_ID;
  if (!isBuiltin(model)) {
    throw bad(
      `[service_settings.model_id] must be one of [${BUILTIN_IDS.join(', ')}] for [quarry], got [${model}]`,
    );
  }
  const similarity = text(settings, 'similarity', 'service_settings') ?? 'cosine';
  if (similarity !== 'cosine') {
    throw bad(`[service_settings.similarity] must be [cosine], got [${similarity}]`);
  }
  const dims = whole(settings, 'dimensions', 'service_settings', MAX_DIMS);
  return { service: 'quarry', model, dims: dims ?? BUILTIN_DIMS };
}

/**
 * Prints `service`, `service_settings` and `task_settings`; a PUT of them defines the same
 * endpoint.
 */
export function printDefinition(definition: Definition): JsonObject {
  if (definition.service === 'quarry') {
    const { service, model, dims } = definition;
    const settings = { model_id: model, dimensions: dims, similarity: 'cosine' };
    return { service, service_settings: settings };
  }
  if (definition.service === 'local') {
    const { name, dims, maxTokens } = definition.model;
    const settings = { model_id: name, dimensions: dims, similarity: 'cosine' };
    return {
      service: definition.service,
      service_settings: { ...settings, max_input_tokens: maxTokens },
    };
  }
  if (isReranker(definition)) return printReranker(definition.service, definition.endpoint);
  const { service, endpoint } = definition;
  const { url, model, apiKeyEnv, dims, asksDims, organization, user, requestsPerMinute } = endpoint;
  return {
    service,
    service_settings: {
      url,
      ...(model === undefined ? {} : { model_id: model }),
      ...(apiKeyEnv === undefined ? {} : { api_key_env: apiKeyEnv }),
      ...(dims === undefined ? {} : { [asksDims === true ? 'dimensions' : 'dims']: dims }),
      similarity: 'cosine',
      ...(organization === undefined ? {} : { organization_id: organization }),
      ...(requestsPerMinute === undefined
        ? {}
        : { rate_limit: { requests_per_minute: requestsPerMinute } }),
    },
    ...(user === undefined ? {} : { task_settings: { user } }),
  };
}

function printReranker(
  service: RerankService,
  { url, model, apiKeyEnv, requestsPerMinute }: RerankEndpoint,
): JsonObject {
  return {
    service,
    service_settings: {
      url,
      ...(model === undefined ? {} : { model_id: model }),
      ...(apiKeyEnv === undefined ? {} : { api_key_env: apiKeyEnv }),
      ...(requestsPerMinute === undefined
        ? {}
        : { rate_limit: { requests_per_minute: requestsPerMinute } }),
    },
  };
}

function rate(settings: JsonObject): number | undefined {
  const limit = settings['rate_limit'];
  if (limit === undefined || limit === null) return undefined;
  const path = 'service_settings.rate_limit';
  if (!isObject(limit)) throw bad(`[${path}] must be an object, got ${kindOf(limit)}`);
  refuseUnknown(limit, path, ['requests_per_minute']);
  return whole(limit, 'requests_per_minute', path, MAX_PER_MINUTE);
}

function variable(value: JsonObject, path: string): string | undefined {
  const name = text(value, 'api_key_env', path);
  if (name === undefined || VARIABLE.test(name)) return name;
  // The value is not shown, because it may be the key itself.
  throw bad(
    `[${inside(path, 'api_key_env')}] must be the name of an environment variable, letters, digits and underscores, not the key`,
  );
}

function section(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw bad(`[${key}] must be an object, got ${kindOf(value)}`);
}

function text(object: JsonObject, key: string, path: string): string | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  const name = inside(path, key);
  if (typeof value !== 'string') throw bad(`[${name}] must be a string, got ${kindOf(value)}`);
  if (value.trim() === '') throw bad(`[${name}] must not be empty`);
  if (key === 'url') return value;
  if (value.length > MAX_TEXT) throw bad(`[${name}] must have at most ${MAX_TEXT} characters`);
  if (!HEADER.test(value)) throw bad(`[${name}] must consist of printable ASCII characters`);
  return value;
}

function whole(object: JsonObject, key: string, path: string, most: number): number | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) {
    return value;
  }
  const got = typeof value === 'number' || typeof value === 'bigint' ? `${value}` : kindOf(value);
  throw bad(`[${inside(path, key)}] must be a whole number between 1 and ${most}, got [${got}]`);
}

/** The message contains only names, because a value may be a secret. */
function refuseUnknown(object: JsonObject, path: string, known: readonly string[]): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const name = inside(path, key);
    if (key === 'api_key') {
      throw bad(
        `[${name}] is refused, because keys are not stored here: put the key into an environment variable of the server and name it in [${inside(path, 'api_key_env')}]`,
      );
    }
    if (key === 'chunking_settings') {
      throw bad(`[${name}] is not supported: long texts are always cut into passages of 120 words`);
    }
    throw bad(`unknown setting [${name}], expected one of [${known.join(', ')}]`);
  }
}

function missing(name: string, what: string): QuarryError {
  return new QuarryError(
    'action_request_validation_exception',
    `Validation Failed: 1: [${name}] is missing, name ${what};`,
  );
}

function inside(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
