// The files of a repository as objects of an S3 bucket. Objects appear as a whole or not at all;
// large ones are uploaded in parts. Every upload has a signed SHA-256 that the server verifies;
// contents are verified by the checksums of the repository's own files.
import {
  type BlobStore,
  type FileRange,
  type Removed,
  type StoredFile,
  StoreError,
} from '../blob-store.js';
import { sideBySide } from '../side-by-side.js';
import { keyOf, printable, readError, type S3Answer, type S3Client } from './client.js';
import { placeText } from './place.js';
import { childText, parseXml, type XmlElement } from './xml.js';

const MIB = 1024 * 1024;
/** Length of one read. */
const PIECE_BYTES = 8 * MIB;
/** A limit of S3. */
const MAX_PARTS = 10_000;
const MAX_XML_BYTES = 16 * MIB;
/** A page has 1,000 names; a repository has some thousand files for each index. */
const MAX_PAGES = 2_000;

export interface S3StoreOptions {
  /** Length of one part; files that are not longer are uploaded at once. At least 5 MiB. */
  readonly partBytes: number;
  readonly maxPages?: number;
}

/** An upload in parts that was neither completed nor aborted. */
interface Upload {
  readonly path: string;
  readonly id: string;
}

export class S3Store implements BlobStore {
  readonly location: string;
  readonly pieceBytes = PIECE_BYTES;
  readonly #client: S3Client;
  readonly #partBytes: number;
  readonly #maxPages: number;

  constructor(client: S3Client, { partBytes, maxPages = MAX_PAGES }: S3StoreOptions) {
    this.location = placeText(client.place);
    this.#client = client;
    this.#partBytes = partBytes;
    this.#maxPages = maxPages;
  }

  /** The bucket must exist, and folders are only parts of names. */
  async open(): Promise<void> {}

  async read(path: string, offset: number, length: number): Promise<FileRange | undefined> {
    const answer = await this.#client.send({
      method: 'GET',
      path,
      headers: { range: `bytes=${offset}-${offset + Math.max(length, 1) - 1}` },
      maxAnswerBytes: Math.max(length, 1),
      expected: [404, 416],
    });
    if (answer.status === 404) return this.#missing(path, answer);
    return rangeOf(path, offset, length, answer);
  }

  async write(path: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const partBytes = Math.max(this.#partBytes, Math.ceil(bytes / MAX_PARTS));
    if (bytes > partBytes) return this.#writeInParts(path, bytes, partsOf(pieces, partBytes));
    for await (const body of partsOf(pieces, Math.max(bytes, 1))) {
      await this.#client.send({ method: 'PUT', path, body, maxAnswerBytes: MAX_XML_BYTES });
    }
  }

  /** Objects are durable when they are written. */
  async sync(): Promise<void> {}

  async list(folder: string): Promise<readonly StoredFile[]> {
    return (await this.#list(folder)).files;
  }

  async folders(folder: string): Promise<readonly string[]> {
    return (await this.#list(folder)).folders;
  }

  async remove(folder: string, names: readonly string[]): Promise<void> {
    await sideBySide(names, async (name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      await this.#client.send({
        method: 'DELETE',
        path,
        maxAnswerBytes: MAX_XML_BYTES,
        expected: [404],
      });
    });
  }

  async removeUnfinished(folder: string): Promise<Removed> {
    const uploads = await this.#uploads(folder);
    await sideBySide(uploads, (upload) => this.#abort(upload));
    // The parts that were uploaded are not told.
    return { files: uploads.length, bytes: 0 };
  }

  async space(): Promise<undefined> {
    return undefined;
  }

  async #writeInParts(path: string, bytes: number, parts: AsyncIterable<Buffer>): Promise<void> {
    const id = await this.#begin(path);
    try {
      const tags: string[] = [];
      for await (const body of parts) {
        const { headers } = await this.#client.send({
          method: 'PUT',
          path,
          query: { partNumber: String(tags.length + 1), uploadId: id },
          body,
          maxAnswerBytes: MAX_XML_BYTES,
        });
        const tag = headers['etag'];
        if (typeof tag !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(tag)) {
          throw new StoreError('answer', `S3 answered no [ETag] of a part of [${path}]`);
        }
        tags.push(tag);
      }
      await this.#complete({ path, id }, tags, bytes);
    } catch (error) {
      // An upload that cannot be aborted now is aborted by the next change of the repository.
      await this.#abort({ path, id }).catch(() => {});
      throw error;
    }
  }

  async #begin(path: string): Promise<string> {
    const { body } = await this.#client.send({
      method: 'POST',
      path,
      query: { uploads: '' },
      maxAnswerBytes: MAX_XML_BYTES,
    });
    return textIn(rootOf(body, 'InitiateMultipartUploadResult'), 'UploadId');
  }

  /** The answer may be an error in spite of its status 200. */
  async #complete(upload: Upload, tags: readonly string[], bytes: number): Promise<void> {
    const parts = tags.map(
      (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const answer = await this.#client.send({
      method: 'POST',
      path: upload.path,
      query: { uploadId: upload.id },
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from(
        `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
      ),
      maxAnswerBytes: MAX_XML_BYTES,
      expected: [404],
    });
    if (answer.status !== 404 && readError(answer.body).code === '') {
      rootOf(answer.body, 'CompleteMultipartUploadResult');
      return;
    }
    // If the answer to an earlier attempt was lost, the upload is complete and its id is unknown.
    const stored = await this.read(upload.path, 0, 1);
    if (answer.status === 404 && answer.attempts > 1 && stored?.total === bytes) return;
    const { code, message } = readError(answer.body);
    throw new StoreError(
      'unavailable',
      `S3 could not complete the upload of [${upload.path}]: [${code}] ${message}`,
    );
  }

  async #abort({ path, id }: Upload): Promise<void> {
    await this.#client.send({
      method: 'DELETE',
      path,
      query: { uploadId: id },
      maxAnswerBytes: MAX_XML_BYTES,
      expected: [404],
    });
  }

  async #uploads(folder: string): Promise<readonly Upload[]> {
    const prefix = this.#prefixOf(folder);
    const found: Upload[] = [];
    for await (const page of this.#pages({ uploads: '', prefix }, UPLOAD_PAGES)) {
      for (const upload of page.children.filter(({ name }) => name === 'Upload')) {
        const key = textIn(upload, 'Key');
        if (!key.startsWith(prefix)) throw foreign(key, prefix);
        const path = `${folder === '' ? '' : `${folder}/`}${key.slice(prefix.length)}`;
        // '' stands for the files directly in the repository.
        if (folder === '' && path.includes('/')) continue;
        found.push({ path, id: textIn(upload, 'UploadId') });
      }
    }
    return found;
  }

  async #list(
    folder: string,
  ): Promise<{ readonly files: readonly StoredFile[]; readonly folders: readonly string[] }> {
    const prefix = this.#prefixOf(folder);
    const files: StoredFile[] = [];
    const folders: string[] = [];
    const query = { 'list-type': '2', prefix, delimiter: '/' };
    for await (const page of this.#pages(query, OBJECT_PAGES)) {
      for (const child of page.children) {
        if (child.name === 'Contents') {
          const key = textIn(child, 'Key');
          // Some programs put an empty object in the place of a folder.
          if (key === prefix) continue;
          files.push({ name: nameBelow(key, prefix), bytes: sizeIn(child) });
        } else if (child.name === 'CommonPrefixes') {
          folders.push(nameBelow(textIn(child, 'Prefix').replace(/\/$/, ''), prefix));
        }
      }
    }
    return { files, folders };
  }

  /** The pages of a list. Throws StoreError if it does not end. */
  async *#pages(
    query: Readonly<Record<string, string>>,
    kind: PageKind,
  ): AsyncIterable<XmlElement> {
    let next: Readonly<Record<string, string>> = {};
    for (let pages = 0; ; pages++) {
      if (pages === this.#maxPages) {
        throw new StoreError('answer', `a list of S3 did not end after [${pages}] pages`);
      }
      const answer = await this.#client.send({
        method: 'GET',
        path: '',
        query: { ...query, ...next },
        maxAnswerBytes: MAX_XML_BYTES,
        ...(kind.optional ? { expected: [404, 405, 501] } : {}),
      });
      // A server without such a list has nothing to show.
      if (answer.status >= 400) return;
      const page = rootOf(answer.body, kind.root);
      yield page;
      if (textIn(page, 'IsTruncated') !== 'true') return;
      const before = next;
      const markers = Object.entries(kind.markers);
      next = Object.fromEntries(markers.map(([param, name]) => [param, textIn(page, name)]));
      if (markers.every(([param]) => next[param] === before[param])) {
        throw new StoreError('answer', 'S3 answered the same page of a list again');
      }
    }
  }

  #prefixOf(folder: string): string {
    const { basePath } = this.#client.place;
    if (folder !== '') return `${keyOf(basePath, folder)}/`;
    return basePath === '' ? '' : `${basePath}/`;
  }

  #missing(path: string, { body }: S3Answer): undefined {
    const { code, message } = readError(body);
    if (code !== 'NoSuchBucket') return undefined;
    throw new StoreError('settings', `S3 cannot read [${path}]: [${code}] ${message}`);
  }
}

interface PageKind {
  readonly root: string;
  /** Parameters of the next page, by the elements that have their values. */
  readonly markers: Readonly<Record<string, string>>;
  /** Whether there are servers that have no such list. */
  readonly optional: boolean;
}

const OBJECT_PAGES: PageKind = {
  root: 'ListBucketResult',
  markers: { 'continuation-token': 'NextContinuationToken' },
  optional: false,
};
const UPLOAD_PAGES: PageKind = {
  root: 'ListMultipartUploadsResult',
  markers: { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' },
  optional: true,
};

/** Joins pieces into parts of `partBytes`; the last is shorter. An empty file is one empty part. */
async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncIterable<Buffer> {
  // Each part has memory of its own, because the one before may still be on its way.
  let part: Buffer | undefined;
  let filled = 0;
  let parts = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      part ??= Buffer.allocUnsafe(partBytes);
      const length = Math.min(piece.length - at, partBytes - filled);
      part.set(piece.subarray(at, at + length), filled);
      filled += length;
      at += length;
      if (filled < partBytes) continue;
      yield part;
      parts += 1;
      part = undefined;
      filled = 0;
    }
  }
  if (filled > 0 || parts === 0) yield (part ?? Buffer.alloc(0)).subarray(0, filled);
}

/** Checks that the answer is the range that was requested. */
function rangeOf(path: string, offset: number, length: number, answer: S3Answer): FileRange {
  const { status, headers, body } = answer;
  const range = String(headers['content-range'] ?? '');
  if (status === 416) {
    const total = Number(/^bytes \*\/(\d{1,15})$/.exec(range)?.[1] ?? 0);
    if (total <= offset) return { bytes: body.subarray(0, 0), total };
    throw new StoreError('answer', `S3 refused a range of [${path}] that it has, ${range}`);
  }
  // A server that ignores ranges sends the file from its beginning.
  if (status === 200 && offset === 0) {
    return { bytes: body.subarray(0, length), total: body.length };
  }
  const [first, last, total] = (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range) ?? [])
    .slice(1)
    .map(Number);
  const expected = Math.min(offset + Math.max(length, 1), total ?? 0) - 1;
  if (
    total === undefined ||
    first !== offset ||
    last !== expected ||
    body.length !== last - first + 1
  ) {
    throw new StoreError(
      'answer',
      `S3 answered [${status} ${range}] with [${body.length}] bytes for [${length}] bytes of [${path}] from [${offset}]`,
    );
  }
  return { bytes: body.subarray(0, length), total };
}

function rootOf(body: Uint8Array, name: string): XmlElement {
  const root = parseXml(Buffer.from(body).toString('utf8'));
  if (root.name === name) return root;
  throw new StoreError('answer', `S3 answered [${printable(root.name)}], expected [${name}]`);
}

function textIn(element: XmlElement, name: string): string {
  const text = childText(element, name);
  if (text !== undefined && text !== '') return text;
  throw new StoreError('answer', `S3 answered [${element.name}] without [${name}]`);
}

function sizeIn(element: XmlElement): number {
  const text = textIn(element, 'Size');
  const size = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(size)) return size;
  throw new StoreError('answer', 'S3 answered a [Size] that is no number of bytes');
}

/** The name of a file or folder directly below `prefix`. */
function nameBelow(key: string, prefix: string): string {
  const name = key.slice(prefix.length);
  if (!key.startsWith(prefix) || name.includes('/') || ['', '.', '..'].includes(name)) {
    throw foreign(key, prefix);
  }
  return name;
}

function foreign(key: string, prefix: string): StoreError {
  return new StoreError(
    'answer',
    `S3 listed [${printable(key)}], which is not directly below [${prefix}]`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
