// All writes of documents behind one admission gate: single operations, scripted updates, bulk
// requests.
import type {
  BulkRequest,
  BulkResult,
  FoundDocument,
  GetRequest,
  Refresh,
  WriteOperation,
  WriteOptions,
  WriteResult,
} from '../../backend/index.js';
import { runCooperatively } from '../../base/cooperative-task.js';
import type { QuarryError } from '../../errors.js';
import type { Addon } from '../../native/addon.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import { checkAccess } from '../catalog/index-expression.js';
import type { EngineNode } from '../node/engine-node.js';
import type { EngineUse } from '../shards/engine-use.js';
import { Gate } from '../shards/gate.js';
import type { WorkerPool } from '../shards/pools.js';
import type { WriteMarks } from '../shards/write-marks.js';
import { AliasBulk, type AliasBulkOptions } from './alias-bulk.js';
import type { PresenceOptions } from './alias-presence.js';
import { AliasWrites } from './alias-writes.js';
import { runScriptedBulk } from './by-query/run-scripted-bulk.js';
import { scriptedSteps } from './by-query/scripted-bulk.js';
import { readScriptedUpdate, runScriptedUpdate } from './by-query/scripted-update.js';
import { EmbeddedWrites } from './remote-vectors.js';
import { Writer } from './write.js';

export interface WritesOptions {
  readonly addon: Addon;
  readonly node: EngineNode;
  readonly marks: WriteMarks;
  readonly pool: WorkerPool;
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly metrics: Metrics;
  readonly engineUse: EngineUse;
  readonly endpoints: ConstructorParameters<typeof EmbeddedWrites>[1];
  readonly autoCreate: (name: string) => Promise<void>;
  readonly get: (request: GetRequest) => Promise<FoundDocument>;
  readonly read: PresenceOptions['read'];
  /** Reads through aliases with filters. */
  readonly filtered: PresenceOptions['filtered'];
  readonly toError: (type: number, reason: string, cause: string) => QuarryError;
  readonly nowMs: () => number;
  /** Memory reservation for updates by script. */
  readonly hold: () => HeldBytes;
}

export class Writes {
  readonly #options: WritesOptions;
  readonly #gate: Gate;
  readonly #writer: Writer;
  readonly #aliases: AliasWrites;
  readonly #aliasBulk: AliasBulkOptions;

  constructor(options: WritesOptions) {
    this.#options = options;
    const { addon, node, pool, live, metrics, endpoints, autoCreate, toError, nowMs } = options;
    this.#gate = new Gate({
      what: 'writes',
      setting: 'limits.write_queue',
      limit: () => live.get('limits.write_queue'),
      bytes: { setting: 'limits.write_bytes', limit: () => live.get('limits.write_bytes') },
      guard: () => options.guard.check('write'),
      onRefusal: () => metrics.rejected.inc({ kind: 'write' }),
      onChange: (requests) => {
        options.engineUse.writes = requests;
      },
    });
    const gate = this.#gate;
    metrics.observe('quarry_writes_in_flight', 'Writes that have begun.', () => gate.inside);
    this.#writer = new Writer({
      catalog: node.catalog,
      engine: new EmbeddedWrites(pool, endpoints, (text) => addon.hash128(text)),
      commit: node.commit,
      refresh: node.refresh,
      marks: options.marks,
      autoCreate,
      pressure: node.maintenance,
      toError,
      refusedType: addon
        .errorTypes()
        .findIndex(({ type }) => type === 'illegal_argument_exception'),
      metrics,
      nowMs,
    });
    const presence = { read: options.read, filtered: options.filtered };
    this.#aliases = new AliasWrites({
      ...presence,
      catalog: node.catalog,
      write: (operation, refresh) => this.#write(operation, refresh),
    });
    this.#aliasBulk = {
      ...presence,
      catalog: node.catalog,
      bulk: async (request) =>
        this.#gate.pass(() => this.#writer.bulk(request), request.body.length),
      refresh: (names, refresh) => this.#refresh(names, refresh),
    };
  }

  async write(operation: WriteOperation, { refresh, access }: WriteOptions): Promise<WriteResult> {
    checkAccess(access, operation.index);
    const { get, hold, live, nowMs } = this.#options;
    const scripted = readScriptedUpdate(operation, () => live.get('limits.body_bytes'));
    if (scripted === undefined) return this.#aliases.write(operation, refresh, access);
    return runScriptedUpdate(scripted, operation, {
      get,
      write: (change) => this.#aliases.write(change, refresh, access),
      nowMs,
      hold,
    });
  }

  async bulk(request: BulkRequest): Promise<BulkResult> {
    const steps = await runCooperatively(scriptedSteps(request));
    if (steps === undefined) return this.#bulk(request);
    return runScriptedBulk(steps, request, {
      bulk: (part) => this.#bulk(part),
      update: (operation) => this.write(operation, { refresh: 'false', access: request.access }),
      refresh: (names, refresh) => this.#refresh(names, refresh),
    });
  }

  async #bulk(request: BulkRequest): Promise<BulkResult> {
    const { length } = request.body;
    const answer = await this.#gate.pass(() => this.#writer.unfilteredBulk(request), length);
    if (!(answer instanceof Uint8Array)) return answer;
    return new AliasBulk({ ...request, body: answer }, this.#aliasBulk).run();
  }

  async #refresh(names: readonly string[], refresh: Refresh): Promise<void> {
    const { catalog, refresh: scheduler } = this.#options.node;
    const shards = names.flatMap((name) => {
      const entry = catalog.writeTarget(name)?.entry;
      return Array.from({ length: entry?.shards ?? 0 }, (_, shard) => ({
        index: entry?.number ?? 0,
        shard,
      }));
    });
    if (refresh === 'true') await scheduler.now(shards);
    else if (refresh === 'wait_for') await scheduler.published(shards);
  }

  async #write(operation: WriteOperation, refresh: Refresh): Promise<WriteResult> {
    const bytes = operation.source?.length ?? 0;
    return this.#gate.pass(() => this.#writer.write(operation, refresh), bytes);
  }
}
