// All dependencies of the routes, restricted to what one key may use. This is the authorization
// boundary: a route that is given these cannot reach an index that the key's patterns do not match.
import type {
  Access,
  Backend,
  ByQueryRequest,
  IndexTemplates,
  InferenceEndpoints,
  Json,
  JsonObject,
  Operations,
  SearchContextBackend,
  SearchTemplates,
  TaskFilter,
} from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { defaultNodesIndex } from '../../graph/names.js';
import { isDamaged } from '../../graph/state-document.js';
import type { NamespaceAccess } from '../../memory/manage/namespaces.js';
import type { KeyQuota } from '../../memory/manage/quotas.js';
import type { Snapshots } from '../../snapshot/snapshots.js';
import type { ApiDeps, GraphService, MemoryService } from '../kit/routes.js';
import { GrantedBackend } from './granted-backend.js';
import type { TaskOwners } from './task-owners.js';

/** The dependencies for a key that is not valid for all indexes. */
export function grantedDeps(deps: ApiDeps, access: Access, owners: TaskOwners): ApiDeps {
  const backend = new GrantedBackend(deps.backend, access);
  return {
    ...deps,
    backend,
    searchContexts: grantedSearchContexts(deps.searchContexts, access),
    operations: grantedOperations(deps.operations, access, owners),
    graph: grantedGraph(deps.graph, access),
    memory: grantedMemory(deps, backend, access),
    templates: refused<IndexTemplates>('index templates', { get: () => [] }),
    searchTemplates: refused<SearchTemplates>('stored scripts', {
      render: (template, params) => deps.searchTemplates.render(template, params),
    }),
    inference: refused<InferenceEndpoints>('inference endpoints'),
    snapshots: refused<Snapshots>('snapshots'),
  };
}

/** Rejects every member of a node-wide service, except those in `rest`. */
function refused<T extends object>(what: string, rest: Partial<T> = {}): T {
  return new Proxy(rest as T, {
    get: (target, member) => {
      if (Object.hasOwn(target, member)) return Reflect.get(target, member);
      throw new QuarryError('security_exception', `${what} need a key for all indices [*]`);
    },
  });
}

function grantedSearchContexts(inner: SearchContextBackend, access: Access): SearchContextBackend {
  const { owner } = access;
  return {
    openPointInTime: (request, keepAlive) =>
      inner.openPointInTime({ ...request, access }, keepAlive),
    pointsInTime: () => inner.pointsInTime(owner),
    closePointInTime: (id) => inner.closePointInTime(id, owner),
    startScroll: (request, keepAlive) => inner.startScroll({ ...request, access }, keepAlive),
    nextBatch: (id, keepAlive, waiter) => inner.nextBatch(id, keepAlive, waiter, owner),
    clearScrolls: (ids) => inner.clearScrolls(ids, owner),
  };
}

function grantedOperations(inner: Operations, access: Access, owners: TaskOwners): Operations {
  const mine = (task: JsonObject): boolean => owners.of(Number(task['id'])) === access.owner;
  const own = <T>(id: number, one: () => T): T | undefined =>
    owners.of(id) === access.owner ? one() : undefined;
  return {
    start: (request: ByQueryRequest) => {
      const { search, change, remote } = request;
      if (remote !== undefined) {
        throw new QuarryError(
          'security_exception',
          '[_reindex] from [remote] needs a key for all indices [*]',
        );
      }
      if (change.kind === 'reindex' && !access.allows(change.dest.index)) {
        throw access.refusal(change.dest.index);
      }
      const started = inner.start({ ...request, search: { ...search, access } });
      owners.note(started.id, access.owner);
      return started;
    },
    // Without a check: the work uses the restricted backend of the key.
    begin: (work) => {
      const begun = inner.begin(work);
      owners.note(begun.id, access.owner);
      return begun;
    },
    running: (filter: TaskFilter) => inner.running(filter).filter(mine),
    task: (id) => own(id, () => inner.task(id)),
    ended: async (id, timeoutMs) => own(id, () => inner.ended(id, timeoutMs)),
    cancel: (which) => {
      const ids =
        typeof which === 'number' ? [which] : inner.running(which).map(({ id }) => Number(id));
      return ids.flatMap((id) => own(id, () => inner.cancel(id)) ?? []);
    },
    rethrottle: (id, pace) => own(id, () => inner.rethrottle(id, pace)),
  };
}

/** Throws security_exception unless the key may use the nodes index of the brain. */
async function checkNodes(
  graph: Pick<ApiDeps['graph'], 'nodesIndex'>,
  access: Access,
  brain: string,
): Promise<void> {
  const nodes = await graph.nodesIndex(brain);
  if (access.allows(nodes)) return;
  // The message is worded for a name that another client chose in the brain's settings.
  throw access.refusalOf(`the index that the settings of the brain [${brain}] name`, nodes);
}

/**
 * The graph service for the brains that the key may use: both the brain's default nodes index and
 * the one that its settings name must be permitted.
 */
function grantedGraph(inner: ApiDeps['graph'], access: Access): ApiDeps['graph'] {
  const check = (index: string): void => {
    if (!access.allows(index)) throw access.refusal(index);
  };
  const known = async (brain: string): Promise<void> => {
    check(defaultNodesIndex(brain));
    await checkNodes(inner, access, brain);
  };
  const guarded =
    <A extends readonly unknown[], R>(verb: (brain: string, ...rest: A) => Promise<R>) =>
    async (brain: string, ...rest: A): Promise<R> => {
      await known(brain);
      return verb(brain, ...rest);
    };
  const service: GraphService = {
    put: async (brain, body) => {
      const nodes = body['nodes_index'];
      if (typeof nodes === 'string') check(nodes);
      await known(brain).catch((error: unknown) => {
        // Damaged settings name no index, and a put replaces them.
        if (!isDamaged(error)) throw error;
      });
      return inner.put(brain, body);
    },
    brains: (request) => inner.brains({ ...request, allows: access.allows }),
    link: guarded((brain, body: JsonObject) => inner.link(brain, body)),
    unlink: guarded((brain, ...rest: Rest<'unlink'>) => inner.unlink(brain, ...rest)),
    ego: guarded((brain, ...rest: Rest<'ego'>) => inner.ego(brain, ...rest)),
    overview: guarded((brain, ...rest: Rest<'overview'>) => inner.overview(brain, ...rest)),
    startDetection: guarded((brain, ...rest: Rest<'startDetection'>) =>
      inner.startDetection(brain, ...rest),
    ),
    detection: (brain) => {
      check(defaultNodesIndex(brain));
      return inner.detection(brain);
    },
    verify: guarded((brain, ...rest: Rest<'verify'>) => inner.verify(brain, ...rest)),
    suggestions: guarded((brain, ...rest: Rest<'suggestions'>) =>
      inner.suggestions(brain, ...rest),
    ),
    accept: guarded((brain, id: string) => inner.accept(brain, id)),
    reject: guarded((brain, id: string) => inner.reject(brain, id)),
  };
  return { ...service, nodesIndex: guarded((brain) => inner.nodesIndex(brain)) };
}

type Rest<V extends keyof GraphService> =
  Parameters<GraphService[V]> extends [string, ...infer R] ? R : never;

/**
 * A namespace must not name an embeddings service: the client that configures its address could
 * make the server post to any host. The same applies to fields of a mapping.
 */
function checkSettings(namespace: string, settings: JsonObject): void {
  if (settings['inference_endpoint'] === undefined) return;
  throw new QuarryError(
    'security_exception',
    `namespace [${namespace}] names an embeddings service by [inference_endpoint], which needs a key for all indices [*]: ` +
      'name a registered endpoint by [inference_id]',
  );
}

/** The memory service for the namespaces whose index the key may use. */
function grantedMemory(
  { memory: inner, graph }: ApiDeps,
  backend: Backend,
  access: Access,
): MemoryService {
  const check = (namespace: string): void => {
    const index = defaultNodesIndex(namespace);
    if (!access.allows(index)) throw access.refusal(index);
  };
  const namespaces: NamespaceAccess = {
    allows: (namespace) => access.allows(defaultNodesIndex(namespace)),
    check,
  };
  const guarded =
    <A extends readonly unknown[], R>(verb: (namespace: string, ...rest: A) => Promise<R>) =>
    async (namespace: string, ...rest: A): Promise<R> => {
      check(namespace);
      return verb(namespace, ...rest);
    };
  return {
    put: guarded((namespace, body: JsonObject) => {
      checkSettings(namespace, body);
      return inner.put(namespace, body);
    }),
    store: guarded((namespace, body: JsonObject, key?: KeyQuota) =>
      inner.store(namespace, body, key),
    ),
    recall: guarded((namespace, body: JsonObject) => inner.recall(namespace, body, backend)),
    recallMany: (body) => inner.recallMany(body, namespaces, backend),
    bulk: guarded((namespace, items: readonly Json[], key?: KeyQuota) =>
      inner.bulk(namespace, items, key),
    ),
    list: guarded((namespace, body?: JsonObject) => inner.list(namespace, body, backend)),
    namespaces: (body) => inner.namespaces(body, namespaces),
    audit: guarded((namespace, body: JsonObject) => inner.audit(namespace, body)),
    changes: guarded((namespace, body: JsonObject) => inner.changes(namespace, body)),
    get: guarded(async (namespace, id: string) => {
      // Its links quote documents of the brain's nodes index.
      await checkNodes(graph, access, namespace);
      return inner.get(namespace, id);
    }),
    edit: guarded((namespace, id: string, body: JsonObject) => inner.edit(namespace, id, body)),
    forget: guarded((namespace, id: string) => inner.forget(namespace, id)),
    forgetMatching: guarded((namespace, body: JsonObject) =>
      inner.forgetMatching(namespace, body, backend),
    ),
    drop: guarded((namespace) => inner.drop(namespace)),
    transfer: {
      export: guarded((namespace) => inner.transfer.export(namespace)),
      import: guarded((namespace, body: Uint8Array, mayPut: boolean) =>
        inner.transfer.import(namespace, body, mayPut, (settings) =>
          checkSettings(namespace, settings),
        ),
      ),
    },
  };
}
