// Which operations of the API the clients have, and under which names. Everything else of a method
// (address, options, types, descriptions) comes from the API document.

export type Api = 'memory' | 'graph' | 'search';

/**
 * When a request may be sent again although the first one perhaps took effect: always, never, or
 * where the input has this member, which makes it idempotent.
 */
export type Repeat = 'always' | 'never' | { readonly with: string };

export interface ClientMethod {
  readonly api: Api;
  /** In snake_case; TypeScript has it in camelCase. */
  readonly name: string;
  /** The first part of the names of its types. */
  readonly type: string;
  readonly repeat: Repeat;
  /** A paged list: the member of the answer with its items. */
  readonly items?: string;
  /** Members of the query string that are sent as JSON. */
  readonly json?: readonly string[];
  /** The body repeats the members of the query string, which are sent there alone. */
  readonly noBody?: true;
}

const memory = (
  name: string,
  type: string,
  repeat: Repeat,
  rest: Partial<ClientMethod> = {},
): ClientMethod => ({ api: 'memory', name, type, repeat, ...rest });
const graph = (
  name: string,
  type: string,
  repeat: Repeat,
  rest: Partial<ClientMethod> = {},
): ClientMethod => ({ api: 'graph', name, type, repeat, ...rest });
const search = (name: string, repeat: Repeat): ClientMethod => ({
  api: 'search',
  name,
  type: '',
  repeat,
});

/** By the operation's id in the API document. */
export const CLIENT_METHODS: Readonly<Record<string, ClientMethod>> = {
  put_namespace: memory('configure', 'NamespaceSettings', 'always'),
  svc_memory_store: memory('store', 'Memory', { with: 'id' }),
  bulk_store: memory('bulk', 'Bulk', 'never'),
  svc_memory_recall: memory('recall', 'Recall', 'always'),
  recall_many: memory('recall_many', 'RecallMany', 'always'),
  svc_memory_list: memory('list', 'List', 'always', { items: 'entries', json: ['filter'] }),
  list_namespaces: memory('namespaces', 'Namespaces', 'always', { items: 'namespaces' }),
  svc_memory_audit: memory('audit', 'Audit', 'always'),
  memory_changes: memory('changes', 'Changes', 'always'),
  svc_memory_get: memory('get', 'Get', 'always'),
  svc_memory_edit: memory('edit', 'Edit', 'always'),
  forget_matching: memory('forget_matching', 'ForgetMatching', 'never'),
  svc_memory_forget: memory('forget', 'Forget', 'always'),
  svc_memory_drop: memory('drop', 'Drop', 'always'),
  export_namespace: memory('export_lines', 'Export', 'always'),
  import_namespace: memory('import_lines', 'Import', 'always'),

  put_brain: graph('configure', 'Brain', 'always'),
  list_brains: graph('brains', 'Brains', 'always', { items: 'brains' }),
  svc_graph_ego: graph('ego', 'Ego', 'always'),
  svc_graph_overview: graph('overview', 'Overview', 'always'),
  svc_graph_link: graph('link', 'Link', { with: 'valid_at' }),
  svc_graph_unlink: graph('unlink', 'Unlink', 'always', { noBody: true }),
  detect_links: graph('detect', 'Detect', 'never'),
  detection_progress: graph('detection', 'Detection', 'always'),
  verify_links: graph('verify', 'Verify', 'always'),
  list_suggestions: graph('suggestions', 'Suggestions', 'always'),
  accept_suggestion: graph('accept', 'Accept', 'always'),
  reject_suggestion: graph('reject', 'Reject', 'always'),

  search_by_index_post: search('search', 'always'),
  count_by_index_post: search('count', 'always'),
  msearch_post: search('msearch', 'always'),
  bulk: search('bulk', 'never'),
  get: search('get', 'always'),
  mget_by_index_post: search('mget', 'always'),
  index_new: search('add', 'never'),
  index: search('index', 'never'),
  create: search('create', 'never'),
  update: search('update', 'never'),
  delete: search('delete', 'never'),
  delete_by_query: search('delete_by_query', 'never'),
  create_index: search('create_index', 'never'),
  get_mapping_by_index: search('mapping', 'always'),
  delete_index: search('delete_index', 'never'),
  refresh_by_index_post: search('refresh', 'always'),
};

/** Names of nested types that the rule would name twice or clumsily. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  ChangesChange: 'Change',
  NamespacesNamespace: 'NamespaceEntry',
  BrainsBrain: 'BrainEntry',
  SuggestionsSuggestion: 'Suggestion',
  LinkLink: 'LinkView',
  ImportMemories: 'ImportCounts',
  GetHistory: 'Version',
  EgoLink: 'EgoLink',
  RecallAnswerGraph: 'RecallGraphPart',
};

/** What both clients do alike; the numbers are written into both. */
export const BEHAVIOUR = {
  /** Milliseconds of one attempt, connecting and reading the answer included. */
  timeoutMs: 30_000,
  maxRetries: 3,
  /** The first pause where the service names none; each further one is twice as long. */
  backoffMs: 200,
  /** A longer pause than this is not waited for: the error is raised. */
  maxRetryWaitMs: 30_000,
  /** Items of a page of the methods that read all pages. */
  pageSize: 500,
  /** Statuses after which a request that may be repeated is sent again. */
  repeatStatuses: [502, 503, 504],
  /** Refused before anything was done, so that every request may be sent again. */
  refusedStatuses: [429],
  refusedTypes: ['node_not_ready_exception'],
  /** The one quota that time alone lifts. */
  lastingQuota: 'stores_per_minute',
  /** Finds the field at the beginning of a reason, as its first group. */
  fieldPattern:
    '^(?:Validation Failed: 1: )?(?:unknown key |parameter )?\\[([A-Za-z0-9_.\\[\\]-]+?)\\](?=[ ,;]|$)',
} as const;
