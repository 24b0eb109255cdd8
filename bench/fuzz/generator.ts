// Generates mutated requests from one seed: those of golden cases, whose data has been prepared,
// and those of every operation in turn.
import type { ApiRequest, RequestCase } from '../../test/tools/api-requests.ts';
import type { Choice } from './choice.ts';
import { type Body, mutatedBody } from './mutations.ts';
import { type Corpus, type Operation, toBody } from './operations.ts';
import type { FuzzRequest } from './request.ts';

/** Percent-encoded path segments that name nothing, or too much. */
const SEGMENTS = [
  ...['*', '_all', 'nope', '-books', 'books,-books', '.svc-memory-agent', '%00', '%2e%2e', '%ff'],
  ...['a%2fb', '%3Cnow%2Fd%3E', '%3Ct-%7Bnow%2Fd%7D%3E', '__proto__', 'T', 'x'.repeat(300)],
  ...['%F0%9F%98%80', '%22', '%5c', '0', '-1', '9'.repeat(30), '_nodes', 'a:b', '%ed%a0%80', 'a1'],
] as const;

const VALUES = [
  ...[
    '',
    '-1',
    '0',
    '1',
    '3',
    '1e3',
    '99999999999',
    '1e-300',
    'true',
    'x',
    'a,b',
    '*',
    '%00',
    '%ff',
  ],
  ...['__proto__', '1m', '-1d', '99999999d', 'a.**.b,-c', 'n:desc', 'now', '%5B', 'a:(b', '_none_'],
  ...[
    '9223372036854775808',
    'a'.repeat(2000),
    '*,'.repeat(500),
    '%F0%9F%98%80',
    '1ms',
    '_shards:0,9',
  ],
] as const;

const COMMON_PARAMS = [
  ...['pretty', 'human', 'error_trace', 'filter_path=a.**.b,-c', 'filter_path=**', 'v', 'h=*'],
  ...['format=yaml', 'format=json', 'format=cbor', 'format=x', 's=index:desc,docs.count', 'help'],
  ...['a=b', '__proto__=1', 'source=%7B%7D&source_content_type=application/json'],
] as const;

type Header = readonly [name: string, value: string];
const HEADERS: readonly [Header, ...Header[]] = [
  ['accept', '*/*'],
  ['accept', 'application/yaml'],
  ['accept', 'application/vnd.elasticsearch+json;compatible-with=8'],
  ['accept', 'text/plain'],
  ['accept', 'application/cbor'],
  ['accept', 'text/event-stream, application/json'],
  ['accept-encoding', 'gzip'],
  ['accept-encoding', 'br'],
  ['accept-encoding', 'deflate;q=0, *'],
  ['accept-encoding', 'x'.repeat(500)],
  ['content-type', 'application/x-ndjson'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/cbor'],
  ['content-type', ';;;'],
  ['content-type', ''],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-encoding', 'x'],
  ['x-opaque-id', 'é\x80'],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['mcp-protocol-version', 'x'],
  ['mcp-session-id', 'x'],
  ['last-event-id', '1'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
];

/**
 * An endless generator of requests. Cases and operations are used in an order given by the seed,
 * each once before any is repeated.
 */
export class RequestGenerator {
  readonly #corpus: Corpus;
  readonly #choice: Choice;
  readonly #cases: Iterator<RequestCase>;
  readonly #operations: Iterator<Operation>;

  constructor(corpus: Corpus, choice: Choice) {
    this.#corpus = corpus;
    this.#choice = choice;
    this.#cases = cycle(corpus.cases, choice);
    this.#operations = cycle(corpus.operations, choice);
  }

  nextCase(): RequestCase {
    return this.#cases.next().value as RequestCase;
  }

  /** A request that can refer to the data of the case. */
  nextRequest(present: RequestCase): FuzzRequest {
    const choice = this.#choice;
    if (choice.chance(0.5))
      return this.#ofOperation(this.#operations.next().value as Operation, present);
    const { given = [], when } = present;
    return this.#ofCase(choice.chance(0.7) ? when : (choice.pick(given) ?? when));
  }

  #ofCase(request: ApiRequest): FuzzRequest {
    const choice = this.#choice;
    const [path = '', query = ''] = request.path.split('?');
    const operation = this.#corpus.operationOf(request.method, path);
    const segments = path.split('/');
    if (choice.chance(0.12))
      segments[1 + choice.below(segments.length - 1)] = choice.pick(SEGMENTS);
    const params = query === '' ? [] : query.split('&').filter(() => choice.chance(0.9));
    return this.#request(request.method, segments.join('/'), params, operation, toBody(request));
  }

  #ofOperation(operation: Operation, present: RequestCase): FuzzRequest {
    const { method } = operation;
    const names = namesIn(present);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      this.#pathValue(name, names),
    );
    const mayHaveBody = method !== 'GET' || this.#choice.chance(0.6);
    const body = mayHaveBody ? this.#corpus.bodyOf(operation, this.#choice) : undefined;
    return this.#request(method, path, [], operation, body);
  }

  #pathValue(name: string, present: readonly string[]): string {
    const choice = this.#choice;
    if (choice.chance(0.15)) return choice.pick(SEGMENTS);
    const mine = choice.chance(0.7) && isName(name) ? choice.pick(present) : undefined;
    return mine ?? this.#corpus.pathValue(name, choice) ?? choice.pick(['1', 'a', ...SEGMENTS]);
  }

  #request(
    method: string,
    path: string,
    params: readonly string[],
    operation: Operation | undefined,
    body: Body | undefined,
  ): FuzzRequest {
    const choice = this.#choice;
    const more = choice.chance(0.4) ? 1 + choice.below(2) : 0;
    const added = Array.from({ length: more }, () => this.#param(operation));
    const type =
      body !== undefined && 'lines' in body ? 'application/x-ndjson' : 'application/json';
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    if (path.startsWith('/v1/mcp')) headers['accept'] = 'application/json, text/event-stream';
    if (choice.chance(0.1)) {
      const [name, value] = choice.pick(HEADERS);
      headers[name] = value;
    }
    const bytes = body === undefined ? undefined : mutatedBody(body, choice);
    const request = {
      method,
      path: encoded(path),
      params: [...params, ...added].map(encoded),
      headers,
    };
    if (bytes === undefined) return request;
    // HTTP clients send no length for GET and DELETE by themselves.
    headers['content-length'] = String(bytes.length);
    return { ...request, body: bytes };
  }

  #param(operation: Operation | undefined): string {
    const choice = this.#choice;
    const parameter = choice.pick(operation?.params ?? []);
    if (parameter === undefined || choice.chance(0.25)) return choice.pick(COMMON_PARAMS);
    if (choice.chance(0.5)) return `${parameter.name}=${choice.pick(VALUES)}`;
    const value = this.#corpus.sample(parameter.schema, choice);
    return `${parameter.name}=${encodeURIComponent(String(value))}`;
  }
}

/** Encodes everything that is not already percent-encoded. */
function encoded(text: string): string {
  return encodeURI(text).replaceAll('%25', '%');
}

function isName(parameter: string): boolean {
  return ['index', 'namespace', 'brain', 'alias'].includes(parameter);
}

/** First path segments of the case's requests, which are mostly names of indexes. */
function namesIn({ given = [], when }: RequestCase): readonly string[] {
  const segments = [...given, when].map(({ path }) => path.split(/[/?]/));
  const names = segments.map(([, first = '', second = '']) =>
    first.startsWith('_') ? second : first,
  );
  return names.filter((name) => name !== '' && !name.startsWith('_'));
}

function* cycle<T>(list: readonly T[], choice: Choice): IterableIterator<T> {
  for (;;) yield* choice.shuffled(list);
}
