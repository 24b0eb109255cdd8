// The definition of a remote embeddings service, and the identity of the vectors of a service or a
// local model.

import { trimEndOf } from '../base/trim-end.js';
import { QuarryError } from '../errors.js';
import { type LocalModel, localIdentity } from './local/local-model.js';

export interface RemoteEndpoint {
  /** The complete URL to which texts are posted. */
  readonly url: string;
  /** Absent if the service has only one model. */
  readonly model?: string;
  /** The environment variable that holds the key; absent if the service needs none. */
  readonly apiKeyEnv?: string;
  /** Length of vectors; if absent, that of the first vector. */
  readonly dims?: number;
  /** Whether `dims` is sent to the service as the requested length. */
  readonly asksDims?: true;
  readonly organization?: string;
  readonly user?: string;
  readonly requestsPerMinute?: number;
}

/** What embeds texts outside of this process: a service, or a model in a process of its own. */
export type TextEndpoint = RemoteEndpoint | LocalModel;

export function isLocal(endpoint: TextEndpoint): endpoint is LocalModel {
  return 'fingerprint' in endpoint;
}

/** The maximum length of vectors in a field. */
export const MAX_DIMS = 4096;
const MAX_URL_LENGTH = 2048;
/** Names of URL parameters that may hold a secret. */
const SECRET_PARAMETER = /key|token|secret|pass|sig|auth|cred/i;

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/**
 * The identity that the mapping of a field stores: the URL, `model@url`, or `model#dims@url` if a
 * length is requested from the service, because that changes every number; `local:name@fingerprint`
 * for a local model. Vectors of different identities must never be mixed in a field.
 */
export function identityOf(endpoint: TextEndpoint): string {
  if (isLocal(endpoint)) return localIdentity(endpoint);
  const { url, model, dims, asksDims } = endpoint;
  const sized = asksDims === true && dims !== undefined ? `#${dims}` : '';
  if (model === undefined && sized === '') return url;
  return `${model ?? ''}${sized}@${url}`;
}

/**
 * Completes a URL: a path that does not end with `end` gets it appended, as clients of this
 * protocol do with their base URL. `name` is the setting in error messages, which never contain a
 * password.
 */
export function completeUrl(
  given: string,
  name: string,
  end: '/embeddings' | '/rerank' = '/embeddings',
): string {
  if (given.length > MAX_URL_LENGTH) {
    throw bad(`[${name}] has ${given.length} characters, at most ${MAX_URL_LENGTH} are allowed`);
  }
  const url = parseUrl(given, name, end);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw bad(`[${name}] has the scheme [${url.protocol.slice(0, -1)}], expected http or https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw bad(
      `[${name}] must not hold a user name or password: put the key into an environment variable and name it in [api_key_env]`,
    );
  }
  for (const parameter of url.searchParams.keys()) {
    if (!SECRET_PARAMETER.test(parameter)) continue;
    throw bad(
      `[${name}] has the parameter [${parameter}], which looks like a secret: put the key into an environment variable and name it in [api_key_env]`,
    );
  }
  url.hash = '';
  const path = trimEndOf(url.pathname, '/');
  url.pathname = path.endsWith(end) ? path : `${path}${end}`;
  return url.href;
}

function parseUrl(given: string, name: string, end: string): URL {
  try {
    return new URL(given);
  } catch {
    throw bad(`[${name}] is not a URL, expected for example [http://127.0.0.1:8080/v1${end}]`);
  }
}
