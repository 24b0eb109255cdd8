// Creates an index at the service like one of the source, as far as the service takes it.
import type { Json, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import { isObject, memberOf } from './sequence-reader.js';
import {
  type Change,
  candidatesOf,
  flatSettings,
  omit,
  refusedComponent,
  refusedSetting,
  withoutComponent,
} from './translation.js';

/** An index as `GET /{index}` prints it. */
export interface SourceIndex {
  readonly name: string;
  readonly uuid: string;
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: JsonObject;
}

export interface TargetOptions {
  readonly peer: Peer;
  readonly signal: AbortSignal;
  readonly onChange: (change: Change) => void;
}

const TRIES = 8;
/** Names that Elasticsearch allows; any other one would be a path or an expression. */
const INDEX_NAME = /^(?![-_+])(?!\.{1,2}$)[^\\/*?"<>|\s,#:%]{1,255}$/;
/** Things that are left out of one index before its creation is given up. */
const MOST_REFUSALS = 200;

export class TargetIndexes {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /** Undefined if there is no such index. */
  async uuidOf(name: string): Promise<string | undefined> {
    try {
      const answer = await this.#call('GET', `/${encodeURIComponent(name)}/_settings`);
      const uuid = memberOf(answer[name], 'settings', 'index')['uuid'];
      return typeof uuid === 'string' ? uuid : undefined;
    } catch (error) {
      if (error instanceof PeerError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Rejects with PeerError if the service refuses the index for a reason that names no part of it. */
  async create(source: SourceIndex, name: string): Promise<void> {
    if (await this.#createAtOnce(source, name)) return;
    await this.#createEmpty(source, name, omit(source.mappings, 'properties'));
    await this.addFields(source, name);
  }

  /** Adds the fields of the source to an index that is there, as far as the service takes them. */
  async addFields(source: SourceIndex, name: string): Promise<void> {
    // Fields that lead to others are added behind them.
    const entries = Object.entries(memberOf(source.mappings, 'properties'));
    const plain = entries.filter(([, definition]) => memberOf(definition)['type'] !== 'alias');
    const aliases = entries.filter(([, definition]) => memberOf(definition)['type'] === 'alias');
    for (const some of [plain, aliases]) {
      if (some.length === 0) continue;
      const refusal = await this.#put(name, Object.fromEntries(some));
      if (refusal === undefined) continue;
      for (const [field, definition] of some) {
        await this.#addField(source.name, name, [field], memberOf(definition));
      }
    }
  }

  /** Adds the aliases that the service takes. */
  async addAliases({ name: from, aliases }: SourceIndex, index: string): Promise<void> {
    for (const [alias, body] of Object.entries(aliases)) {
      const action = { add: { index, alias, ...memberOf(body) } };
      const refusal = await this.#refusalOf(() =>
        this.#call('POST', '/_aliases', { actions: [action] }),
      );
      if (refusal !== undefined) this.#report(from, `alias [${alias}]`, 'left out', refusal);
    }
  }

  /** Gives the index the aliases of the source and no others. */
  async replaceAliases(source: SourceIndex, index: string): Promise<void> {
    await this.addAliases(source, index);
    const answer = await this.#call('GET', `/${encodeURIComponent(index)}/_alias`);
    const there = Object.keys(memberOf(answer[index], 'aliases'));
    const surplus = there.filter((alias) => !Object.hasOwn(source.aliases, alias));
    if (surplus.length === 0) return;
    const actions = surplus.map((alias) => ({ remove: { index, alias } }));
    await this.#call('POST', '/_aliases', { actions });
  }

  /** Settings and mapping in one request: some settings name fields. False: a part is refused. */
  async #createAtOnce(source: SourceIndex, name: string): Promise<boolean> {
    const properties = memberOf(source.mappings, 'properties');
    const analysis = memberOf(source.settings, 'analysis');
    const index: JsonObject = {
      ...Object.fromEntries(flatSettings(source.settings)),
      ...(Object.keys(analysis).length > 0 ? { analysis } : {}),
    };
    const mappings = { ...omit(source.mappings, 'properties'), properties };
    const refusal = await this.#refusalOf(() =>
      this.#call('PUT', `/${encodeURIComponent(name)}`, { settings: { index }, mappings }),
    );
    return refusal === undefined;
  }

  async #createEmpty(source: SourceIndex, name: string, root: JsonObject): Promise<void> {
    const settings = new Map(flatSettings(source.settings));
    let analysis = memberOf(source.settings, 'analysis');
    let mappings = root;
    for (let tries = 0; ; tries++) {
      const hasAnalysis = Object.keys(analysis).length > 0;
      const index: JsonObject = {
        ...Object.fromEntries(settings),
        ...(hasAnalysis ? { analysis } : {}),
      };
      const refusal = await this.#refusalOf(() =>
        this.#call('PUT', `/${encodeURIComponent(name)}`, { settings: { index }, mappings }),
      );
      if (refusal === undefined) return;
      const setting = refusedSetting(settings, refusal);
      const part = setting === undefined ? refusedComponent(analysis, refusal) : undefined;
      const key = Object.keys(mappings).find((one) => refusal.includes(`[${one}]`));
      if (setting !== undefined) {
        settings.delete(setting);
        this.#report(source.name, `setting [index.${setting}]`, 'left out', refusal);
      } else if (part !== undefined) {
        const isUser = part.kind === 'analyzer' || part.kind === 'normalizer';
        analysis = withoutComponent(analysis, part);
        const now = isUser ? 'replaced by the default' : 'left out of the analyzers that use it';
        this.#report(source.name, `${part.kind} [${part.name}]`, now, refusal);
      } else if (key !== undefined) {
        mappings = omit(mappings, key);
        this.#report(source.name, `mapping [${key}]`, 'left out', refusal);
      } else {
        throw new PeerError(`the index [${name}] cannot be created: ${refusal}`, { again: false });
      }
      if (tries >= MOST_REFUSALS) {
        throw new PeerError(`the index [${name}] cannot be created: ${refusal}`, { again: false });
      }
    }
  }

  async #addField(
    from: string,
    index: string,
    path: readonly string[],
    definition: JsonObject,
  ): Promise<void> {
    const refusal = await this.#put(index, nested(path, definition));
    if (refusal === undefined) return;
    const { properties, fields, ...own } = definition;
    if (isObject(properties)) {
      await this.#addField(
        from,
        index,
        path,
        own['type'] === undefined ? { ...own, type: 'object' } : own,
      );
      for (const [name, inner] of Object.entries(properties)) {
        await this.#addField(from, index, [...path, name], memberOf(inner));
      }
      return;
    }
    if (isObject(fields)) {
      await this.#addField(from, index, path, own);
      for (const [name, inner] of Object.entries(fields)) {
        const refused = await this.#put(index, nested(path, { ...own, fields: { [name]: inner } }));
        if (refused === undefined) continue;
        this.#report(from, `field [${[...path, name].join('.')}]`, 'left out', refused);
      }
      return;
    }
    for (const { definition: candidate, now } of candidatesOf(definition, refusal)) {
      if ((await this.#put(index, nested(path, candidate))) !== undefined) continue;
      this.#report(from, `field [${path.join('.')}]`, now, refusal);
      return;
    }
    this.#report(from, `field [${path.join('.')}]`, 'left to dynamic mapping', refusal);
  }

  /** Adds fields; returns the reason of a refusal. */
  #put(index: string, properties: JsonObject): Promise<string | undefined> {
    return this.#refusalOf(() =>
      this.#call('PUT', `/${encodeURIComponent(index)}/_mapping`, { properties }),
    );
  }

  async #refusalOf(call: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await call();
      return undefined;
    } catch (error) {
      if (error instanceof PeerError && error.status === 400) {
        return error.message.replace(/^the remote \[[^\]]*\] answered 400: /, '');
      }
      throw error;
    }
  }

  #call(method: 'GET' | 'PUT' | 'POST', path: string, body?: Json): Promise<JsonObject> {
    const { peer, signal } = this.#options;
    return repeated(
      () => peer.json({ method, path, signal, ...(body === undefined ? {} : { body }) }),
      { tries: TRIES, signal },
    );
  }

  #report(index: string, what: string, now: string, reason: string): void {
    this.#options.onChange({ index, what, now, reason });
  }
}

function nested(path: readonly string[], definition: JsonObject): JsonObject {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? definition : { properties: nested(rest, definition) } };
}

/** The indexes that a list of patterns names, in the order of their names. */
export async function sourceIndexes(
  peer: Peer,
  patterns: string,
  signal: AbortSignal,
): Promise<readonly SourceIndex[]> {
  const listed = patterns.split(',').map((one) => one.trim());
  const path = `/${listed.map(encodeURIComponent).join(',')}?expand_wildcards=open`;
  const answer = await repeated(() => peer.json({ method: 'GET', path, signal }), {
    tries: TRIES,
    signal,
  });
  const hidden = listed.filter((one) => one.startsWith('.'));
  return Object.entries(answer)
    .filter(([name]) => !name.startsWith('.') || hidden.length > 0)
    .map(([name, body]) => {
      if (!INDEX_NAME.test(name)) throw peer.unusable(`an index of the name [${name}]`);
      const settings = memberOf(memberOf(body), 'settings', 'index');
      const { uuid } = settings;
      if (typeof uuid !== 'string') {
        throw peer.unusable(
          `settings of [${name}] without [uuid]: ${plainJson(settings).slice(0, 100)}`,
        );
      }
      return {
        name,
        uuid,
        settings,
        mappings: memberOf(body, 'mappings'),
        aliases: memberOf(body, 'aliases'),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
