// Adds to documents what the cluster cannot make of their texts: vectors and words (see
// cluster-mappings.ts). A document is completed as text, so that the client's bytes stay as they
// are; what was added is left out of every answer.
import type { Json, JsonObject, SourceSpec } from '../backend/index.js';
import { turn } from '../base/cooperative-task.js';
import { parseExact, printExact } from '../base/exact-json.js';
import { quote } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import type { ClusterIndex } from './cluster-catalog.js';
import { ID_FIELD, type MadeField } from './cluster-mappings.js';
import { isObject } from './errors.js';
import type { TextAnalysis, TextVector } from './text-analysis.js';

/** A document to complete. */
export interface Unmade {
  readonly source: Uint8Array;
  readonly index: Pick<ClusterIndex, 'made' | 'hasId'>;
  readonly id: string;
  /** An update body, whose `doc` and `upsert` are completed. */
  readonly isUpdate: boolean;
}

/** Texts of one embedder per call. */
const TOGETHER = 64;

interface Wanted {
  readonly field: MadeField;
  readonly text: string;
  vector: TextVector;
}

/** Whether documents of the index get further fields. */
export function isMadeOf({ made, hasId }: Pick<ClusterIndex, 'made' | 'hasId'>): boolean {
  return hasId || made.length > 0;
}

/** The documents in their order, completed. */
export async function completed(
  documents: readonly Unmade[],
  analysis: TextAnalysis,
): Promise<readonly Uint8Array[]> {
  const read = documents.map((one) => readDocument(one));
  await embed(
    read.flatMap(({ parts }) => parts.flatMap(({ wanted }) => wanted)),
    analysis,
  );
  return read.map(({ document, body, parts }) => {
    const { source, isUpdate, id, index } = document;
    const ofId = index.hasId ? [`${quote(ID_FIELD)}:${quote(id)}`] : [];
    if (!isUpdate) {
      const more = [...ofId, ...membersOf(parts[0]?.wanted ?? [], analysis)];
      return parts.length === 0 || more.length === 0 ? source : spliced(source, more);
    }
    const changed: Record<string, Json> = { ...body };
    for (const { name, wanted } of parts) {
      const part = changed[name];
      if (!isObject(part)) continue;
      const members = [...(name === 'upsert' ? ofId : []), ...membersOf(wanted, analysis)];
      const more = parseExact(`{${members.join(',')}}`) as JsonObject;
      changed[name] = { ...part, ...more };
    }
    return Buffer.from(printExact(changed));
  });
}

interface ReadDocument {
  readonly document: Unmade;
  readonly body: JsonObject;
  readonly parts: readonly { readonly name: string; readonly wanted: readonly Wanted[] }[];
}

function readDocument(document: Unmade): ReadDocument {
  const { source, isUpdate } = document;
  const fields = document.index.made;
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8');
  let body: Json;
  try {
    body = isUpdate ? parseExact(text) : (JSON.parse(text) as Json);
  } catch {
    // The cluster says what is wrong with it.
    return { document, body: {}, parts: [] };
  }
  if (!isObject(body)) return { document, body: {}, parts: [] };
  if (!isUpdate) return { document, body, parts: [{ name: '', wanted: wantedOf(body, fields) }] };
  if (body['script'] !== undefined && fields.length > 0) {
    throw new QuarryError(
      'illegal_argument_exception',
      `a script may change [${fields.map(({ path }) => path).join(', ')}], whose vectors are not made by the cluster: in cluster mode send the changed document as [doc]`,
    );
  }
  const parts = ['doc', 'upsert'].map((name) => {
    const part = body[name];
    return { name, wanted: isObject(part) ? wantedOf(part, fields) : [] };
  });
  return { document, body, parts };
}

function wantedOf(document: JsonObject, fields: readonly MadeField[]): readonly Wanted[] {
  return fields.flatMap((field) => {
    const texts = [...textsAt(document, field.path.split('.'))];
    return texts.length === 0 ? [] : [{ field, text: texts.join('\n'), vector: null }];
  });
}

function* textsAt(value: Json | undefined, path: readonly string[]): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) yield* textsAt(item, path);
  } else if (path.length === 0) {
    if (typeof value === 'string') yield value;
    else if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  } else if (isObject(value)) {
    for (let length = 1; length <= path.length; length++) {
      const name = path.slice(0, length).join('.');
      if (Object.hasOwn(value, name)) yield* textsAt(value[name], path.slice(length));
    }
  }
}

async function embed(wanted: readonly Wanted[], analysis: TextAnalysis): Promise<void> {
  const groups = new Map<string, Wanted[]>();
  for (const one of wanted) {
    const { vector } = one.field;
    if (vector === undefined) continue;
    const key = `${vector.embedder} ${vector.dims}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  for (const group of groups.values()) {
    const { embedder = '', dims = 0 } = group[0]?.field.vector ?? {};
    for (let at = 0; at < group.length; at += TOGETHER) {
      if (at > 0) await turn();
      const some = group.slice(at, at + TOGETHER);
      const vectors = await analysis.vectors(
        embedder,
        dims,
        some.map(({ text }) => text),
      );
      for (const [i, one] of some.entries()) one.vector = vectors[i] ?? null;
    }
  }
}

/** The members to add, each as the text of a name and a value. */
function membersOf(wanted: readonly Wanted[], analysis: TextAnalysis): readonly string[] {
  return wanted.flatMap(({ field: { vector, words }, text, vector: made }) => [
    ...(vector === undefined ? [] : [`${quote(vector.field)}:${vectorText(made)}`]),
    ...(words === undefined
      ? []
      : [`${quote(words.field)}:${quote(analysis.words(words.analyzer, text))}`]),
  ]);
}

/** Null removes the vector that an update finds. */
function vectorText(vector: TextVector): string {
  return vector === null ? 'null' : `[${Array.from(vector).join(',')}]`;
}

/** The document with further members. */
function spliced(source: Uint8Array, members: readonly string[]): Uint8Array {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const end = bytes.lastIndexOf('}');
  const isEmpty = /^\s*\{\s*$/.test(bytes.subarray(0, Math.min(end, 64)).toString('latin1'));
  const comma = isEmpty && end <= 64 ? '' : ',';
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${comma}${members.join(',')}}`)]);
}

/** Names of the fields that answers leave out. */
export function madeNames({
  made,
  hasId,
}: Pick<ClusterIndex, 'made' | 'hasId'>): readonly string[] {
  const names = made.flatMap(({ vector, words }) => [
    ...(vector === undefined ? [] : [vector.field]),
    ...(words === undefined ? [] : [words.field]),
  ]);
  return hasId ? [...names, ID_FIELD] : names;
}

/** A source filter that leaves out what was added. */
export function withoutMade(source: SourceSpec, made: readonly string[]): SourceSpec {
  if (source === false || made.length === 0) return source;
  if (source === true) return { includes: [], excludes: made };
  return { includes: source.includes, excludes: [...source.excludes, ...made] };
}
