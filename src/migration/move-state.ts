// What a service has beside its indexes, for `quarry move`: inference endpoints, which mappings
// refer to, templates of indexes and search templates. Each is written as the service printed it,
// and read back. Endpoints hold names of environment variables, never keys.
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../backend/index.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import { isObject, memberOf } from './sequence-reader.js';
import type { Change } from './translation.js';

/** A thing of the service under its name. */
interface Named {
  readonly name: string;
  readonly body: JsonObject;
}

/** How one kind is read, from the source and back from the target, and written. */
interface Kind {
  readonly what: string;
  /** All of them, at the source. */
  readonly all: (call: Call) => Promise<readonly Named[]>;
  readonly path: (name: string, body: JsonObject) => string;
  readonly written: (body: JsonObject) => JsonObject;
  /** One of them as `all` reads it; the answer of GET of its path. */
  readonly read: (name: string, answer: JsonObject) => JsonObject | undefined;
}

type Call = (method: 'GET' | 'PUT', path: string, body?: JsonObject) => Promise<JsonObject>;

export interface StateMove {
  readonly source: Peer;
  readonly target: Peer;
  readonly signal: AbortSignal;
  readonly onChange: (change: Change) => void;
}

const TRIES = 8;

const ENDPOINTS: Kind = {
  what: 'inference endpoint',
  all: async (call) =>
    listOf(await call('GET', '/_inference/_all'), 'endpoints')
      // The others are those of every service, and of its own folder of models.
      .filter(({ service }) => service !== 'quarry' && service !== 'local')
      .map((body) => ({ name: String(body['inference_id']), body })),
  path: (name, body) =>
    `/_inference/${encodeURIComponent(String(body['task_type']))}/${encodeURIComponent(name)}`,
  written: ({ inference_id: _id, task_type: _type, ...body }) => body,
  read: (_name, answer) => listOf(answer, 'endpoints')[0],
};

const COMPONENTS: Kind = composable('component template', 'component_template');
const INDEX_TEMPLATES: Kind = composable('index template', 'index_template');

const LEGACY: Kind = {
  what: 'template',
  all: async (call) => entriesOf(await call('GET', '/_template')),
  path: (name) => `/_template/${encodeURIComponent(name)}`,
  written: (body) => body,
  read: (name, answer) => objectOf(answer[name]),
};

const SCRIPTS: Kind = {
  what: 'search template',
  all: async (call) => {
    const state = await call('GET', '/_cluster/state/metadata');
    return entriesOf(memberOf(state, 'metadata', 'stored_scripts'));
  },
  path: (name) => `/_scripts/${encodeURIComponent(name)}`,
  written: (script) => ({ script }),
  read: (_name, { script }) => {
    const body = objectOf(script);
    return body === undefined ? undefined : { ...body, options: body['options'] ?? {} };
  },
};

function composable(what: string, member: string): Kind {
  const named = (answer: JsonObject): readonly Named[] =>
    listOf(answer, `${member}s`).map((one) => ({
      name: String(one['name']),
      body: memberOf(one, member),
    }));
  return {
    what,
    all: async (call) => named(await call('GET', `/_${member}`)),
    path: (name) => `/_${member}/${encodeURIComponent(name)}`,
    written: (body) => body,
    read: (_name, answer) => named(answer)[0]?.body,
  };
}

/** What indexes need to be created. Resolves to the number of things that are there now. */
export function moveEndpoints(options: StateMove): Promise<number> {
  return moveKinds([ENDPOINTS], options);
}

/** What comes behind the indexes, so that no template changes them. */
export function moveTemplates(options: StateMove): Promise<number> {
  return moveKinds([COMPONENTS, INDEX_TEMPLATES, LEGACY, SCRIPTS], options);
}

async function moveKinds(kinds: readonly Kind[], options: StateMove): Promise<number> {
  const { source, target, signal, onChange } = options;
  const [fromSource, toTarget] = [source, target].map((peer) => callOf(peer, signal));
  if (fromSource === undefined || toTarget === undefined) throw new Error('there are two sides');
  let moved = 0;
  for (const kind of kinds) {
    for (const { name, body } of await kind.all(fromSource)) {
      const refusal = await moveOne(kind, { name, body }, toTarget);
      if (refusal === undefined) moved += 1;
      else {
        const what = `${kind.what} [${name}]`;
        onChange({ index: '_all', what, now: 'left out', reason: refusal });
      }
    }
  }
  return moved;
}

/** The reason why the target has not taken it. */
async function moveOne(kind: Kind, { name, body }: Named, call: Call): Promise<string | undefined> {
  const path = kind.path(name, body);
  const isThere = async (): Promise<boolean> => {
    const answer = await call('GET', path).catch((error: unknown) => {
      if (error instanceof PeerError && error.status === 404) return {};
      throw error;
    });
    return isDeepStrictEqual(kind.read(name, answer), body);
  };
  if (await isThere()) return undefined;
  try {
    await call('PUT', path, kind.written(body));
  } catch (error) {
    if (error instanceof PeerError && error.status === 400) return error.message;
    throw error;
  }
  return (await isThere()) ? undefined : 'it is not the same when it is read back';
}

function callOf(peer: Peer, signal: AbortSignal): Call {
  return (method, path, body) =>
    repeated(() => peer.json({ method, path, signal, ...(body === undefined ? {} : { body }) }), {
      tries: TRIES,
      signal,
    });
}

function listOf(answer: JsonObject, member: string): readonly JsonObject[] {
  const list = answer[member];
  return Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : [];
}

function entriesOf(object: JsonObject): readonly Named[] {
  return Object.entries(object).map(([name, body]) => ({ name, body: memberOf(body) }));
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
