// Definitions of inference endpoints: valid ones, invalid ones, and the printed form.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { identityOf, type RemoteEndpoint } from '../../src/embed/endpoint.ts';
import { printDefinition, readDefinition, readShortForm } from '../../src/embed/endpoint-body.ts';

const URL = 'http://localhost:8080/v1';
const COMPLETE = 'http://localhost:8080/v1/embeddings';

const openAi = (settings: JsonObject, task?: JsonObject): JsonObject => ({
  service: 'openai',
  service_settings: { url: URL, model_id: 'm', ...settings },
  ...(task === undefined ? {} : { task_settings: task }),
});

describe('a definition', () => {
  test.each<[JsonObject, RemoteEndpoint, string]>([
    [{ url: URL }, { url: COMPLETE }, COMPLETE],
    [{ url: URL, model: 'm', dims: 3 }, { url: COMPLETE, model: 'm', dims: 3 }, `m@${COMPLETE}`],
    [
      { url: URL, model: 'm', api_key_env: 'K' },
      { url: COMPLETE, model: 'm', apiKeyEnv: 'K' },
      `m@${COMPLETE}`,
    ],
    [openAi({}), { url: COMPLETE, model: 'm' }, `m@${COMPLETE}`],
    [
      openAi({ dimensions: 256 }),
      { url: COMPLETE, model: 'm', dims: 256, asksDims: true },
      `m#256@${COMPLETE}`,
    ],
    [
      openAi(
        { rate_limit: { requests_per_minute: 5 }, organization_id: 'o', similarity: 'cosine' },
        { user: 'u' },
      ),
      { url: COMPLETE, model: 'm', organization: 'o', user: 'u', requestsPerMinute: 5 },
      `m@${COMPLETE}`,
    ],
    [
      { service: 'openai', service_settings: { model_id: 'm' } },
      { url: 'https://api.openai.com/v1/embeddings', model: 'm' },
      'm@https://api.openai.com/v1/embeddings',
    ],
  ])('%j is understood, and printed so that it is understood the same', (body, endpoint, identity) => {
    const definition = readDefinition(body);
    expect(definition).toEqual({ service: 'openai', endpoint });
    expect(identityOf(endpoint)).toBe(identity);
    expect(readDefinition(printDefinition(definition))).toEqual(definition);
  });

  test.each<[JsonObject, string, number]>([
    [{ service: 'quarry' }, 'svc-lex-1', 512],
    [
      { service: 'quarry', service_settings: { model_id: 'svc-lex-1', dimensions: 9 } },
      'svc-lex-1',
      9,
    ],
    [{ service: 'quarry', service_settings: { model_id: 'svc-lex-2' } }, 'svc-lex-2', 512],
  ])('%j is the built-in embedder [%s]', (body, model, dims) => {
    const definition = readDefinition(body);
    expect(definition).toEqual({ service: 'quarry', model, dims });
    expect(readDefinition(printDefinition(definition))).toEqual(definition);
  });

  test.each([
    ['http://h/v1/', 'http://h/v1/embeddings'],
    ['http://h', 'http://h/embeddings'],
    ['http://H:80/v1/embeddings/', 'http://h/v1/embeddings'],
    [
      'https://h:443/openai/deployments/d/embeddings?api-version=2#x',
      'https://h/openai/deployments/d/embeddings?api-version=2',
    ],
    ['http://h/a/../v1', 'http://h/v1/embeddings'],
  ])('%s is posted to as %s', (url, complete) => {
    expect(readShortForm({ url }, 'p').url).toBe(complete);
  });

  test.each<[JsonObject, string]>([
    [{}, '[service] is missing'],
    [{ service: 'voyage' }, 'Unknown service [voyage], expected one of ['],
    [{ service: 1 }, '[service] must be a string, got a number'],
    [{ service: 'openai' }, '[service_settings.model_id] is missing'],
    [
      { service: 'openai', service_settings: [] },
      '[service_settings] must be an object, got an array',
    ],
    [{ service: 'openai', model: 'm' }, '[model] belongs in [service_settings]'],
    [{ service: 'openai', chunking_settings: {} }, '[chunking_settings] is not supported'],
    [openAi({ api_key: 'sk-secret' }), '[service_settings.api_key] is refused'],
    [openAi({ api_key_env: 'sk-secret' }), 'must be the name of an environment variable'],
    [openAi({ api_key_env: '' }), '[service_settings.api_key_env] must not be empty'],
    [openAi({ similarity: 'dot_product' }), '[service_settings.similarity] must be [cosine]'],
    [openAi({ dimensions: 0 }), 'a whole number between 1 and 4096, got [0]'],
    [openAi({ dimensions: 4097 }), 'got [4097]'],
    [openAi({ dimensions: '8' }), 'got [a string]'],
    [openAi({ dimensions: 8, dims: 8 }), 'both [dimensions]'],
    [openAi({ rate_limit: 3 }), '[service_settings.rate_limit] must be an object'],
    [
      openAi({ rate_limit: { requests_per_second: 1 } }),
      'requests_per_second], expected one of [requests_per_minute]',
    ],
    [openAi({ rate_limit: { requests_per_minute: 0 } }), 'between 1 and 1000000'],
    [openAi({ extra: 'sk-secret' }), 'unknown setting [service_settings.extra]'],
    [openAi({ model_id: 'm\n' }), 'printable ASCII'],
    [openAi({ model_id: 'm'.repeat(257) }), 'at most 256 characters'],
    [openAi({}, { headers: {} }), 'unknown setting [task_settings.headers]'],
    [openAi({ url: 'localhost' }), '[service_settings.url] is not a URL'],
    [{ url: '' }, '[url] must not be empty'],
    [{ url: 7 }, '[url] must be a string'],
    [{ url: 'ftp://h/' }, '[url] has the scheme [ftp]'],
    [{ url: 'file:///etc/passwd' }, '[url] has the scheme [file]'],
    [{ url: 'http://user:sk-secret@h/' }, 'must not hold a user name or password'],
    [{ url: 'http://h/?api_key=sk-secret' }, 'the parameter [api_key], which looks like a secret'],
    [{ url: `http://h/${'a'.repeat(2048)}` }, 'at most 2048 are allowed'],
    [{ url: URL, api_key: 'sk-secret' }, 'name it in [api_key_env]'],
    [{ url: URL, dims: 1.5 }, 'got [1.5]'],
    [
      { url: URL, extra: 1 },
      'unknown setting [extra], expected one of [url, model, api_key_env, dims]',
    ],
    [
      { service: 'quarry', service_settings: { model_id: 'm' } },
      'must be one of [svc-lex-1, svc-lex-2]',
    ],
    [
      { service: 'quarry', service_settings: { url: URL } },
      'unknown setting [service_settings.url]',
    ],
    [{ service: 'quarry', task_settings: { user: 'u' } }, 'unknown setting [task_settings.user]'],
  ])('%j is refused without its secrets', (body, words) => {
    expect(() => readDefinition(body)).toThrowError(words);
    expect(() => readDefinition(body)).not.toThrowError('sk-secret');
  });
});
