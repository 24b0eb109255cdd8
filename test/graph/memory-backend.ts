// A Backend in memory with the functions that the graph uses: documents with compare-and-set, the
// few queries of visible.ts, columns. Searches see writes only after a refresh, as with the real
// one.
import type {
  Backend,
  ColumnsRequest,
  ColumnValue,
  Json,
  JsonObject,
  LinkCountRequest,
  LinkCounts,
  LinkWalkRequest,
  LinkWalkResult,
  SearchHit,
  WriteOperation,
} from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import { linksOf, naiveCount, naiveWalk } from './naive-links.ts';

interface Stored {
  readonly id: string;
  readonly source: Uint8Array;
  readonly seqNo: bigint;
}

interface Index {
  readonly number: number;
  readonly documents: Map<string, Stored>;
  /** The documents that searches see. */
  published: readonly Stored[];
  operations: number;
}

export class MemoryBackend {
  readonly indexes = new Map<string, Index>();
  /** Called before each write takes effect, to simulate races. */
  beforeWrite: (operation: WriteOperation) => Promise<void> = async () => {};
  /** Counters of walks over links, and of complete counts. */
  walks = 0;
  counts = 0;
  gets = 0;
  searches = 0;

  asBackend(): Backend {
    return this as unknown as Backend;
  }
  /** Writes a document to an index of nodes. */
  put(index: string, id: string, document: object): void {
    this.#store(this.#open(index), id, Buffer.from(JSON.stringify(document)));
  }

  exists(name: string): boolean {
    return this.indexes.has(name);
  }
  resolve(name: string): readonly { readonly name: string; readonly number: number }[] {
    return [{ name, number: this.#index(name).number }];
  }
  async createIndex(name: string): Promise<void> {
    if (this.exists(name))
      throw new QuarryError('resource_already_exists_exception', `index [${name}] already exists`);
    this.#open(name);
  }
  async publish(name: string): Promise<void> {
    const index = this.#index(name);
    index.published = [...index.documents.values()].sort((a, b) => Number(a.seqNo - b.seqNo));
  }
  writeMark(name: string): string {
    const { number, operations } = this.#index(name);
    return `${number}:${operations}`;
  }
  async stats(name: string): Promise<{ readonly detail: JsonObject }> {
    return { detail: { seq_no_count: this.#index(name).operations } };
  }

  async write(operation: WriteOperation): Promise<void> {
    await this.beforeWrite(operation);
    const index = this.#index(operation.index);
    const { id = '', source = new Uint8Array() } = operation;
    const there = index.documents.get(id);
    const conflict =
      (operation.op === 'create' && there !== undefined) ||
      (operation.ifSeqNo !== undefined && there?.seqNo !== operation.ifSeqNo);
    if (conflict) throw new QuarryError('version_conflict_engine_exception', `[${id}]: conflict`);
    this.#store(index, id, source);
  }
  /** Executes creations and deletions with their index, as the graph sends them. */
  async bulk({ body }: { body: Uint8Array }): Promise<object> {
    const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n');
    const items: object[] = [];
    while (lines.length > 0) {
      const [[op = '', { _index: index = '', _id: id = '' }] = ['', {}]] = Object.entries(
        JSON.parse(lines.shift() ?? '') as Record<string, { _index?: string; _id?: string }>,
      );
      if (op === 'delete') {
        this.#index(index).documents.delete(id);
        this.#index(index).operations++;
        items.push({ op, index, id, status: 200 });
        continue;
      }
      const source = Buffer.from(lines.shift() ?? '');
      try {
        await this.write({ op: op as 'create', index, id, source });
        items.push({ op, index, id, status: 201 });
      } catch (error) {
        if (!(error instanceof QuarryError)) throw error;
        const { type, message: reason } = error;
        items.push({ op, index, id, status: error.status, error: { type, reason } });
      }
    }
    return { items };
  }
  async deleteIndices(names: string): Promise<void> {
    for (const name of names.split(',')) this.indexes.delete(name);
  }
  async get({ index, id }: { index: string; id: string }): Promise<object> {
    this.gets++;
    const stored = this.#index(index).documents.get(id);
    if (stored === undefined) return { index, id, found: false };
    return { index, id, found: true, primaryTerm: 1, seqNo: stored.seqNo, source: stored.source };
  }

  async search({ index, body }: { index: string; body: JsonObject }): Promise<object> {
    this.searches++;
    const hits = this.#matching(index, body['query'] as JsonObject).map(
      ({ id, source }): SearchHit => ({ index, id, score: null, source }),
    );
    return { hits: hits.slice(0, body['size'] as number), total: { value: hits.length } };
  }
  async count({ index, body }: { index: string; body: JsonObject }): Promise<object> {
    return {
      count: this.#matching(index, (body['query'] ?? { match_all: {} }) as JsonObject).length,
    };
  }
  async columns({ index, query, columns, size, after }: ColumnsRequest): Promise<object> {
    const hits = this.#matching(index, query).map((stored, doc) => ({
      doc,
      id: stored.id,
      document: parse(stored.source),
    }));
    const [first] = columns;
    const time = timeOf(first);
    if (time !== undefined)
      hits.sort((a, b) => Number(b.document[time]) - Number(a.document[time]));
    else if (first !== '_doc') hits.sort(inOrder);
    const from = after === undefined ? 0 : Number(after[0]) + 1;
    const page = hits.slice(from, from + size);
    const cellOf = (column: Json, hit: (typeof hits)[number]): ColumnValue => {
      const name = typeof column === 'string' ? column : (Object.keys(column as object)[0] ?? '');
      if (name === '_doc') return hit.doc;
      if (name === '_id') return hit.id;
      const missing = typeof column === 'string' ? undefined : missingOf(column);
      return scalarAt(hit.document, name) ?? missing ?? null;
    };
    return {
      total: hits.length,
      hits: page.length,
      columns: columns.map((column) => (hit: number) => {
        const found = page[hit];
        return found === undefined ? null : cellOf(column, found);
      }),
    };
  }
  async walkLinks(request: LinkWalkRequest): Promise<LinkWalkResult> {
    this.walks++;
    return naiveWalk(linksOf(this.#index(request.index).published), request);
  }
  async countLinks(request: LinkCountRequest): Promise<LinkCounts> {
    this.counts++;
    const { index, nodes } = request;
    const ids = nodes === undefined ? [] : this.#index(nodes).published.map(({ id }) => id);
    return naiveCount(linksOf(this.#index(index).published), new Set(ids), request);
  }

  #index(name: string): Index {
    const index = this.indexes.get(name);
    if (index === undefined) throw new Error(`no such index ${name}`);
    return index;
  }
  #open(name: string): Index {
    const there = this.indexes.get(name);
    if (there !== undefined) return there;
    const number = this.indexes.size;
    const index: Index = { number, documents: new Map(), published: [], operations: 0 };
    this.indexes.set(name, index);
    return index;
  }
  #store(index: Index, id: string, source: Uint8Array): void {
    index.documents.set(id, { id, source, seqNo: BigInt(index.operations++) });
  }
  #matching(name: string, query: JsonObject): readonly Stored[] {
    return this.#index(name).published.filter((stored) => matches(stored, query));
  }
}

function parse(source: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
}

function missingOf(column: Json): ColumnValue | undefined {
  const [options] = Object.values(column as JsonObject);
  return (options as { missing?: ColumnValue }).missing;
}

/** The time field of the requested sort, latest first. */
function timeOf(column: Json | undefined): string | undefined {
  const [[name, options] = ['', {}]] =
    typeof column === 'object' ? Object.entries(column ?? {}) : [];
  return (options as { unmapped_type?: string }).unmapped_type === 'date' ? name : undefined;
}

interface Hit {
  readonly id: string;
  readonly document: JsonObject;
}

/** The order that the graph requests. */
function inOrder(a: Hit, b: Hit): number {
  const number = ({ document }: Hit, field: string, without: number): number =>
    Number(document[field] ?? without);
  return (
    number(b, 'strength', 2) - number(a, 'strength', 2) ||
    number(b, 'valid_at', 0) - number(a, 'valid_at', 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

function scalarAt(document: JsonObject, path: string): ColumnValue {
  let value: Json | undefined = document;
  for (const key of path.split('.')) value = (value as JsonObject | undefined)?.[key];
  return (value ?? null) as ColumnValue;
}

function matches(stored: Stored, query: JsonObject): boolean {
  const [name = '', body] = Object.entries(query)[0] ?? [];
  const clause = body as JsonObject;
  const list = (key: string): readonly JsonObject[] => (clause[key] ?? []) as JsonObject[];
  const [field = '', wanted] = Object.entries(clause)[0] ?? [];
  switch (name) {
    case 'match_all':
      return true;
    case 'ids':
      return (clause['values'] as readonly string[]).includes(stored.id);
    case 'term':
      return scalarAt(parse(stored.source), field) === wanted;
    case 'terms':
      return (wanted as readonly Json[]).includes(scalarAt(parse(stored.source), field));
    case 'exists':
      return scalarAt(parse(stored.source), String(clause['field'])) !== null;
    case 'range': {
      const value = scalarAt(parse(stored.source), field);
      const { gt, lte } = wanted as { gt?: number; lte?: number };
      if (typeof value !== 'number') return false;
      return (gt === undefined || value > gt) && (lte === undefined || value <= lte);
    }
    case 'bool':
      return (
        list('filter').every((one) => matches(stored, one)) &&
        !list('must_not').some((one) => matches(stored, one)) &&
        (clause['should'] === undefined || list('should').some((one) => matches(stored, one)))
      );
    default:
      throw new Error(`the graph is not known to ask for [${name}]`);
  }
}
