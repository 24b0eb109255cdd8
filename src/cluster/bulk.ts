// Bulk requests: each action line is read, its target resolved and its document completed, and the
// lines go to the cluster as one bulk. What is refused here has its place among the answers.
import type {
  BulkItemError,
  BulkRequest,
  BulkResult,
  Json,
  JsonObject,
  SourceSpec,
  WriteOperation,
  WriteResult,
} from '../backend/index.js';
import { ITEMS_PER_YIELD, turn } from '../base/cooperative-task.js';
import { parseExact, printExact } from '../base/exact-json.js';
import { asText } from '../base/json-text.js';
import type { DocumentPlace } from '../coordinator/catalog/catalog.js';
import { makeDocumentId } from '../coordinator/write/document-ids.js';
import { QuarryError } from '../errors.js';
import { queryString } from './cluster-client.js';
import type { ClusterDocuments, DocumentsOptions } from './documents.js';
import { toWriteResult } from './documents.js';
import { isObject, readAnswer, toError } from './errors.js';
import { completed, isMadeOf, type Unmade } from './made-values.js';

const OPS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete']);
const NEWLINE = 0x0a;

interface Item {
  readonly op: WriteOperation['op'];
  readonly index: string;
  /** Null: the client gave none. */
  readonly id: string | null;
  readonly meta: JsonObject;
  readonly source: Uint8Array | undefined;
}

interface Placed {
  readonly item: Item;
  readonly place: DocumentPlace;
  readonly id: string;
  source: Uint8Array | undefined;
}

export class ClusterBulk {
  readonly #options: DocumentsOptions;
  readonly #documents: ClusterDocuments;

  constructor(options: DocumentsOptions, documents: ClusterDocuments) {
    this.#options = options;
    this.#documents = documents;
  }

  async run(request: BulkRequest): Promise<BulkResult> {
    const started = performance.now();
    const items = await readItems(request);
    const answers: (WriteResult | BulkItemError | undefined)[] = items.map(() => undefined);
    const placed: (Placed & { readonly at: number })[] = [];
    const refusals = new Map<string, QuarryError>();
    for (const [at, item] of items.entries()) {
      try {
        placed.push({ at, ...(await this.#placed(item, request, refusals)) });
      } catch (error) {
        answers[at] = itemError(item, error);
      }
      if (at % ITEMS_PER_YIELD === ITEMS_PER_YIELD - 1) await turn();
    }
    if (placed.length > 0) await this.#send(placed, request, answers);
    const all = answers.map((answer, at) => {
      if (answer === undefined) throw new Error(`the cluster answered nothing for item ${at}`);
      return answer;
    });
    return {
      tookMs: Math.round(performance.now() - started),
      errors: all.some((answer) => 'error' in answer),
      items: all,
    };
  }

  /** `refusals`: of names, so that a refused one is looked up once. */
  async #placed(
    item: Item,
    request: BulkRequest,
    refusals: Map<string, QuarryError>,
  ): Promise<Placed> {
    const { index, op, meta, id } = item;
    const routing = meta['routing'] ?? meta['_routing'] ?? request.defaultRouting;
    const known = refusals.get(index);
    if (known !== undefined && op !== 'delete') throw known;
    const target = {
      index,
      op,
      ...(routing === undefined ? {} : { routing: asText(routing) }),
      requireAlias: (meta['require_alias'] ?? request.requireAlias) === true,
    };
    try {
      const place = await this.#documents.target(target, request.access);
      return { item, place, id: id ?? makeDocumentId(this.#options.nowMs()), source: item.source };
    } catch (error) {
      if (error instanceof QuarryError && op !== 'delete' && routing === undefined)
        refusals.set(index, error);
      throw error;
    }
  }

  async #send(
    placed: readonly (Placed & { readonly at: number })[],
    request: BulkRequest,
    answers: (WriteResult | BulkItemError | undefined)[],
  ): Promise<void> {
    const { client } = this.#options;
    await this.#complete(placed);
    const pieces: Uint8Array[] = [];
    for (const [i, one] of placed.entries()) {
      pieces.push(Buffer.from(`${this.#actionLine(one, request)}\n`));
      if (one.source !== undefined) pieces.push(one.source, LINE_END);
      if (i % ITEMS_PER_YIELD === ITEMS_PER_YIELD - 1) await turn();
    }
    const refresh = request.refresh === 'false' ? undefined : request.refresh;
    const answer = await client.send({
      method: 'POST',
      path: `/_bulk${queryString({ refresh, timeout: client.writeTimeout })}`,
      body: Buffer.concat(pieces),
      ndjson: true,
      repeatable:
        request.repeatable === true ||
        placed.every(({ item }) => item.id === null && item.op !== 'update'),
    });
    const read = readAnswer(answer, client.names);
    const results = Array.isArray(read['items']) ? (read['items'] as readonly JsonObject[]) : [];
    const done: (Placed & { readonly at: number })[] = [];
    for (const [i, one] of placed.entries()) {
      const [result] = Object.values(results[i] ?? {}) as JsonObject[];
      if (result === undefined) continue;
      // See ClusterDocuments.write().
      const isOurs = one.item.id === null && result['status'] === 409;
      if (isOurs) done.push(one);
      else answers[one.at] = this.#answer(one, result);
    }
    if (done.length > 0) await this.#readDone(done, answers);
  }

  async #complete(placed: readonly Placed[]): Promise<void> {
    const { names, analysis } = this.#options;
    const unmade: Unmade[] = [];
    const of: Placed[] = [];
    for (const one of placed) {
      const index = names.of(one.place.entry.number);
      if (!isMadeOf(index) || one.source === undefined) continue;
      unmade.push({ source: one.source, index, id: one.id, isUpdate: one.item.op === 'update' });
      of.push(one);
    }
    const sources = await completed(unmade, analysis);
    for (const [i, one] of of.entries()) one.source = sources[i];
  }

  #actionLine({ item, place, id }: Placed, request: BulkRequest): string {
    const { op, meta } = item;
    const {
      _type: _t,
      _index: _i,
      _id: _d,
      routing: _r,
      _routing: _o,
      require_alias: _a,
      ...rest
    } = meta;
    const source = op === 'update' ? (request.defaultSource ?? undefined) : undefined;
    const line = {
      _index: this.#options.client.names.inCluster(place.entry.name),
      _id: id,
      ...(place.routing === undefined ? {} : { routing: place.routing }),
      ...(source === undefined || rest['_source'] !== undefined
        ? {}
        : { _source: sourceJson(source) }),
      ...rest,
    };
    return printExact({ [op === 'index' && item.id === null ? 'create' : op]: line });
  }

  #answer({ item, place, id }: Placed, result: JsonObject): WriteResult | BulkItemError {
    const { client } = this.#options;
    const status = Number(result['status'] ?? 500);
    const error = result['error'];
    if (error === undefined)
      return toWriteResult(item.op, status, result, client, place.entry.name);
    const read = toError(isObject(error) ? error : { reason: error }, status, client.names);
    return { ...itemError(item, read), index: place.entry.name, id };
  }

  /** Documents of ours that an earlier attempt has written. */
  async #readDone(
    done: readonly (Placed & { readonly at: number })[],
    answers: (WriteResult | BulkItemError | undefined)[],
  ): Promise<void> {
    const found = await this.#documents.mget(
      done.map(({ place, id }) => ({
        index: place.entry.name,
        id,
        source: false,
        ...(place.routing === undefined ? {} : { routing: place.routing }),
      })),
    );
    for (const [i, { at, item, place, id }] of done.entries()) {
      const one = found[i];
      const numbers = one !== undefined && 'found' in one ? one : undefined;
      answers[at] = {
        op: item.op,
        index: place.entry.name,
        id,
        result: 'created',
        status: 201,
        version: numbers?.version ?? 1n,
        seqNo: numbers?.seqNo ?? 0n,
        primaryTerm: numbers?.primaryTerm ?? 1,
        shardsTotal: 1,
        forcedRefresh: false,
      };
    }
  }
}

const LINE_END = Buffer.from('\n');

function sourceJson(source: SourceSpec): Json {
  return typeof source === 'boolean' ? source : { ...source };
}

async function readItems({ body, defaultIndex, types }: BulkRequest): Promise<readonly Item[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const items: Item[] = [];
  let [at, line] = [0, 0];
  const next = (): Buffer | undefined => {
    if (at >= bytes.length) return undefined;
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) {
      throw new QuarryError(
        'illegal_argument_exception',
        'The bulk request must be terminated by a newline [\\n]',
      );
    }
    const read = bytes.subarray(at, end);
    at = end + 1;
    line += 1;
    return read.at(-1) === 0x0d ? read.subarray(0, -1) : read;
  };
  for (let action = next(); action !== undefined; action = next()) {
    if (action.length === 0) continue;
    const { op, meta } = readAction(action, line);
    const index = meta['_index'] ?? defaultIndex;
    const id = meta['_id'] ?? null;
    if (index === undefined) throw missing(`index is missing`);
    if (meta['_type'] !== undefined && types !== true) {
      throw malformed(line, 'contains an unknown parameter [_type]');
    }
    if (op !== 'index' && op !== 'create' && id === null) throw missing('id is missing');
    const source = op === 'delete' ? undefined : next();
    if (op !== 'delete' && source === undefined) throw missing('no requests added');
    items.push({ op, index: asText(index), id: id === null ? null : asText(id), meta, source });
    if (items.length % ITEMS_PER_YIELD === 0) await turn();
  }
  if (items.length === 0) throw missing('no requests added');
  return items;
}

function readAction(
  action: Buffer,
  line: number,
): { readonly op: WriteOperation['op']; readonly meta: JsonObject } {
  let read: Json;
  try {
    read = parseExact(action.toString('utf8'));
  } catch (error) {
    throw malformed(line, (error as Error).message);
  }
  if (!isObject(read)) throw malformed(line, 'expected START_OBJECT');
  const [first, second] = Object.entries(read);
  const [op, meta] = first ?? ['', null];
  if (!OPS.has(op) || second !== undefined) {
    throw malformed(
      line,
      `expected field [create], [delete], [index] or [update] but found [${op}]`,
    );
  }
  if (!isObject(meta)) throw malformed(line, 'expected START_OBJECT');
  return { op: op as WriteOperation['op'], meta };
}

function malformed(line: number, why: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `Malformed action/metadata line [${line}], ${why}`,
  );
}

function missing(what: string): QuarryError {
  return new QuarryError('action_request_validation_exception', `Validation Failed: 1: ${what};`);
}

function itemError({ op, index, id }: Item, error: unknown): BulkItemError {
  if (!(error instanceof QuarryError)) throw error;
  const { type, reason, ...extra } = error.toCause();
  return { op, index, id, status: error.status, error: { type, reason, ...extra } };
}
