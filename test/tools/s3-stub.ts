// A small S3 server in memory, with path-style addresses: objects, ranges, lists in pages, uploads in
// parts. It verifies signatures and checksums, and lets a test fail, cut off or rewrite any answer.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const STUB_KEYS = {
  AWS_ACCESS_KEY_ID: 'AKIDSTUB',
  AWS_SECRET_ACCESS_KEY: 'stub/secret+key',
};

export interface StubAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface StubRequest {
  readonly method: string;
  /** Key of the object; empty for the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * What happens to a request: an answer in the place of the true one, `cut` ends the connection
 * before anything is done, `lose` after it was done.
 */
export type Fault = 'cut' | 'lose' | StubAnswer;

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

export class S3Stub {
  readonly bucket = 'backups';
  readonly region = 'eu-test-1';
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  /** Requests so far, as `METHOD key?query`. */
  readonly log: string[] = [];
  /** Names on one page of a list. */
  pageSize = 1000;
  /** Smallest part but the last; 5 MiB in S3. */
  minPart = 0;
  /** Called with each request and its number, which starts with 1. */
  fault: (number: number, request: StubRequest) => Fault | undefined = () => undefined;
  /** May rewrite the true answer. */
  rewrite: (request: StubRequest, answer: StubAnswer) => void = () => {};
  #server: Server | undefined;

  async start(port = 0): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => this.#server?.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  /** Keys below a prefix, without it, sorted. */
  keys(prefix = ''): readonly string[] {
    return [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .sort();
  }

  /** Forgets the requests and faults of a test, and keeps the objects. */
  calm(): void {
    this.log.length = 0;
    this.fault = () => undefined;
    this.rewrite = () => {};
    this.pageSize = 1000;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '', 'http://stub');
    const [, bucket = '', ...names] = url.pathname.split('/').map(decodeURIComponent);
    const request: StubRequest = {
      method: incoming.method ?? '',
      key: names.join('/'),
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    };
    this.log.push(`${request.method} ${request.key}${url.search}`);
    const fault = this.fault(this.log.length, request);
    if (fault === 'cut') return void response.destroy();
    const answer = typeof fault === 'object' ? fault : this.#answer(request, url, bucket);
    if (fault === 'lose') return void response.destroy();
    if (fault === undefined) this.rewrite(request, answer);
    response.writeHead(answer.status, {
      'content-length': String(answer.body.length),
      ...answer.headers,
    });
    response.end(answer.body);
  }

  #answer(request: StubRequest, url: URL, bucket: string): StubAnswer {
    const objection = this.#objection(request, url);
    if (objection !== undefined) return failure(403, objection);
    if (bucket !== this.bucket) return failure(404, 'NoSuchBucket');
    const digest = createHash('sha256').update(request.body).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== digest) {
      return failure(400, 'XAmzContentSHA256Mismatch');
    }
    const { method, key, query } = request;
    if (key === '') return query.has('uploads') ? this.#listUploads(query) : this.#list(query);
    if (query.has('uploads')) return this.#begin(key);
    const id = query.get('uploadId');
    if (id !== null) return this.#upload(request, id);
    if (method === 'PUT') {
      this.objects.set(key, request.body);
      return good('', { etag: `"${digest.slice(0, 32)}"` });
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    return this.#get(key, request.headers['range']);
  }

  #get(key: string, range: string | undefined): StubAnswer {
    const object = this.objects.get(key);
    if (object === undefined) return failure(404, 'NoSuchKey');
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (first === '') return { status: 200, headers: {}, body: object };
    if (Number(first) >= object.length) {
      return failure(416, 'InvalidRange', { 'content-range': `bytes */${object.length}` });
    }
    const body = object.subarray(Number(first), Number(last) + 1);
    const end = Number(first) + body.length - 1;
    const headers = { 'content-range': `bytes ${first}-${end}/${object.length}` };
    return { status: 206, headers, body };
  }

  #list(query: URLSearchParams): StubAnswer {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const names = new Set<string>();
    for (const key of this.keys(prefix)) {
      const end = key.indexOf('/');
      names.add(prefix + (end < 0 ? key : key.slice(0, end + 1)));
    }
    const rest = [...names].sort().filter((name) => name > after);
    const page = rest.slice(0, this.pageSize);
    const items = page.map((name) =>
      name.endsWith('/') && !this.objects.has(name)
        ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${name}</Key><Size>${this.objects.get(name)?.length}</Size></Contents>`,
    );
    const more = rest.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return good(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`,
    );
  }

  #listUploads(query: URLSearchParams): StubAnswer {
    const prefix = query.get('prefix') ?? '';
    const found = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const items = found.map(
      ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return good(
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${items.join('')}</ListMultipartUploadsResult>`,
    );
  }

  #begin(key: string): StubAnswer {
    const id = randomUUID();
    this.uploads.set(id, { key, parts: new Map() });
    return good(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #upload({ method, key, query, body }: StubRequest, id: string): StubAnswer {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) return failure(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      this.uploads.delete(id);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return good('', { etag: tagOf(body) });
    }
    const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)];
    const parts = wanted.map(([, number]) => upload.parts.get(Number(number)));
    for (const [i, part] of parts.entries()) {
      const tag = wanted[i]?.[2]?.replaceAll('&#34;', '"');
      if (part === undefined || tagOf(part) !== tag) return failure(400, 'InvalidPart');
      if (part.length < this.minPart && i < parts.length - 1) return failure(400, 'EntityTooSmall');
    }
    this.objects.set(key, Buffer.concat(parts.filter((part) => part !== undefined)));
    this.uploads.delete(id);
    return good('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  }

  /** Signature version 4, written from its description. */
  #objection({ method, headers }: StubRequest, url: URL): string | undefined {
    const [, credential = '', signed = '', signature = ''] =
      /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? [];
    const [id, day = '', region = '', service = '', end = ''] = credential.split('/');
    if (id !== STUB_KEYS.AWS_ACCESS_KEY_ID) return 'InvalidAccessKeyId';
    if (region !== this.region || service !== 's3') return 'AuthorizationHeaderMalformed';
    const names = signed.split(';');
    if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied';
    const query = [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&');
    const canonical = [
      method,
      url.pathname.split('/').map(decodeURIComponent).map(encoded).join('/'),
      query,
      ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
      '',
      signed,
      String(headers['x-amz-content-sha256']),
    ].join('\n');
    const text = [
      'AWS4-HMAC-SHA256',
      headers['x-amz-date'],
      [day, region, service, end].join('/'),
      createHash('sha256').update(canonical).digest('hex'),
    ].join('\n');
    let key: Buffer = Buffer.from(`AWS4${STUB_KEYS.AWS_SECRET_ACCESS_KEY}`);
    for (const step of [day, region, service, end]) key = hmac(key, step);
    return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function tagOf(part: Buffer): string {
  return `"${createHash('md5').update(part).digest('hex')}"`;
}

export function good(text: string, headers: Record<string, string> = {}): StubAnswer {
  return { status: 200, headers, body: Buffer.from(text) };
}

export function failure(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): StubAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>as the test wants</Message></Error>`;
  return { status, headers, body: Buffer.from(text) };
}
