// The one error class of the service and the closed table of its types: wire type -> HTTP status.
// The native core has the same rows in native/core/base/errors.def; src/native/addon.ts compares them at load.

/** What the caller sees in `error.type`, with the HTTP status that goes with it. */
export const ERROR_STATUS = {
  index_not_found_exception: 404,
  resource_already_exists_exception: 400,
  invalid_index_name_exception: 400,
  mapper_parsing_exception: 400,
  document_parsing_exception: 400,
  strict_dynamic_mapping_exception: 400,
  x_content_parse_exception: 400,
  parse_exception: 400,
  parsing_exception: 400,
  illegal_argument_exception: 400,
  query_shard_exception: 400,
  number_format_exception: 400,
  too_many_nested_clauses: 400,
  too_many_buckets_exception: 400,
  action_request_validation_exception: 400,
  validation_exception: 400,
  routing_missing_exception: 400,
  invalid_alias_name_exception: 400,
  index_closed_exception: 400,
  search_phase_execution_exception: 400,
  task_cancelled_exception: 400,
  invalid_snapshot_name_exception: 400,
  snapshot_name_already_in_use_exception: 400,
  pattern_syntax_exception: 400,
  invalid_index_template_exception: 400,
  security_exception: 403,
  aliases_not_found_exception: 404,
  resource_not_found_exception: 404,
  repository_missing_exception: 404,
  snapshot_missing_exception: 404,
  index_template_missing_exception: 404,
  document_missing_exception: 404,
  search_context_missing_exception: 404,
  media_type_header_exception: 406,
  version_conflict_engine_exception: 409,
  repository_conflict_exception: 409,
  content_too_large_exception: 413,
  es_rejected_execution_exception: 429,
  circuit_breaking_exception: 429,
  cluster_block_exception: 429,
  too_many_scroll_contexts_exception: 429,
  inference_exception: 502,
  status_exception: 502,
  store_exception: 503,
  node_not_ready_exception: 503,
  corrupt_index_exception: 503,
  concurrent_snapshot_execution_exception: 503,
  repository_exception: 500,
  repository_verification_exception: 500,
  snapshot_exception: 500,
  snapshot_restore_exception: 500,
  internal_server_error: 500,
} as const;

export type ErrorType = keyof typeof ERROR_STATUS;

/** The inner object of the envelope: `{type, reason, ...extra}`. */
export interface ErrorCause {
  readonly type: string;
  readonly reason: string;
  readonly [extra: string]: unknown;
}

export interface ErrorOptions {
  /** Further members of `error`, for example `index` or `resource.id`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Printed as `error.caused_by`. */
  readonly causedBy?: ErrorCause;
  /** `error.root_cause` where it is not the error itself (a search that failed on every shard). */
  readonly rootCauses?: readonly ErrorCause[];
  /** Overrides the table's status, for types that Elasticsearch answers with several. */
  readonly status?: number;
  /** Response headers that belong to the refusal (`Allow`, `Retry-After`, `WWW-Authenticate`). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Of a reason: what a caller sent may be quoted in it, and may be long. */
const MAX_REASON = 4000;

/** A refusal that the caller may see. The reason names the thing, the value and the remedy. */
export class QuarryError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly causedBy: ErrorCause | undefined;
  readonly rootCauses: readonly ErrorCause[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: ErrorType, reason: string, options: ErrorOptions = {}) {
    super(shortened(reason));
    this.name = 'QuarryError';
    this.type = type;
    this.status = options.status ?? ERROR_STATUS[type];
    this.extra = options.extra ?? {};
    this.causedBy = options.causedBy;
    this.rootCauses = options.rootCauses;
    this.headers = options.headers ?? {};
  }

  /** `{type, reason, ...extra, caused_by?}` as it stands in `error`, in `root_cause[]` and in bulk items. */
  toCause(): ErrorCause {
    const cause = this.causedBy === undefined ? {} : { caused_by: this.causedBy };
    return { type: this.type, reason: this.message, ...this.extra, ...cause };
  }
}

function shortened(reason: string): string {
  if (reason.length <= MAX_REASON) return reason;
  const half = MAX_REASON / 2;
  return `${reason.slice(0, half)} … (${reason.length} characters) … ${reason.slice(-half)}`;
}

export interface ErrorEnvelope {
  readonly error: ErrorCause & { readonly root_cause: readonly ErrorCause[] };
  readonly status: number;
}

/** The REST envelope of any thrown value; what is not a QuarryError is our own bug and stays unnamed. */
export function toEnvelope(thrown: unknown): ErrorEnvelope {
  const error =
    thrown instanceof QuarryError
      ? thrown
      : new QuarryError('internal_server_error', 'an internal error occurred, see the log');
  const { type, reason, ...rest } = error.toCause();
  const { caused_by: _causedBy, ...root } = rest as Record<string, unknown>;
  return {
    error: {
      root_cause: error.rootCauses ?? [{ type, reason, ...root }],
      type,
      reason,
      ...rest,
    },
    status: error.status,
  };
}

export function indexNotFound(name: string): QuarryError {
  return new QuarryError('index_not_found_exception', `no such index [${name}]`, {
    extra: {
      'resource.type': 'index_or_alias',
      'resource.id': name,
      index_uuid: '_na_',
      index: name,
    },
  });
}

/** Makes a switch over a union exhaustive at compile time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${String(value)}`);
}
