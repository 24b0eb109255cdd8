// Points of Qdrant: answers of `POST /collections/{name}/points/scroll` with payload and vectors,
// or points alone, one in each line or a whole file; and the answer of `GET /collections/{name}`,
// which says how vectors are compared.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Json, JsonObject } from '../../backend/index.js';
import { printExact } from '../../base/exact-json.js';
import { asText, printValue } from '../../base/json-text.js';
import type { BulkDocument } from '../bulk-target.js';
import { isObject, memberOf } from '../sequence-reader.js';
import { jsonValues } from './json-values.js';

/** The field of a vector that has no name. */
const UNNAMED = 'vector';

const SIMILARITIES: Readonly<Record<string, string>> = {
  Cosine: 'cosine',
  Dot: 'max_inner_product',
  Euclid: 'l2_norm',
};

/** The vectors of a collection by field: how many numbers, and how they are compared. */
export interface VectorField {
  readonly dims: number;
  readonly distance: string | undefined;
}

export interface QdrantPoint {
  readonly document: BulkDocument;
  readonly vectors: ReadonlyMap<string, number>;
  /** Members that are kept and not searched, with why. */
  readonly kept: ReadonlyMap<string, string>;
}

export type QdrantItem =
  | { readonly point: QdrantPoint }
  | { readonly distances: ReadonlyMap<string, string> };

/** Throws an Error for a snapshot, and for what is no point. */
export async function* qdrantItems(file: string): AsyncIterable<QdrantItem> {
  refuseSnapshot(file);
  for await (const value of jsonValues(file)) {
    const distances = distancesOf(value);
    if (distances !== undefined) yield { distances };
    else for (const point of pointsOf(value, file)) yield { point: readPoint(point, file) };
  }
}

export function similarityOf(distance: string): string {
  const similarity = SIMILARITIES[distance];
  if (similarity !== undefined) return similarity;
  const known = Object.keys(SIMILARITIES).join(', ');
  throw new Error(`the distance [${distance}] is not supported, there are ${known}`);
}

/** A snapshot is a tar archive of Qdrant's own files. */
function refuseSnapshot(file: string): void {
  const head = Buffer.alloc(262);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (!file.endsWith('.snapshot') && head.toString('latin1', 257, 262) !== 'ustar') return;
  throw new Error(
    `${file} is a snapshot, which only Qdrant reads: restore it there, and save the answers of POST /collections/{name}/points/scroll with [with_payload] and [with_vector] true`,
  );
}

function distancesOf(value: Json): ReadonlyMap<string, string> | undefined {
  const { vectors } = memberOf(value, 'result', 'config', 'params');
  if (!isObject(vectors)) return undefined;
  const named = typeof vectors['distance'] === 'string' ? { [UNNAMED]: vectors } : vectors;
  return new Map(
    Object.entries(named).map(([name, body]) => [name, asText(memberOf(body)['distance'])]),
  );
}

function pointsOf(value: Json, file: string): readonly Json[] {
  const { points = memberOf(value)['points'] } = memberOf(value, 'result');
  if (Array.isArray(points)) return points as readonly Json[];
  if (Array.isArray(value)) return value as readonly Json[];
  if (isObject(value) && value['id'] !== undefined) return [value];
  const result = isObject(value) ? value['result'] : undefined;
  if (Array.isArray(result)) return result as readonly Json[];
  throw new Error(
    `${file} holds no points: expected answers of points/scroll, got ${printValue(value)}`,
  );
}

function readPoint(value: Json, file: string): QdrantPoint {
  const point = memberOf(value);
  const { id, payload, vector } = point;
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') {
    throw new Error(`${file} holds a point without an id: ${printValue(value)}`);
  }
  const kept = new Map<string, string>();
  const vectors = new Map<string, number>();
  const members: Record<string, Json> = { ...memberOf(payload) };
  for (const [name, numbers] of Object.entries(namedVectors(vector))) {
    let field = name;
    while (Object.hasOwn(members, field)) field = `${field}_vector`;
    members[field] = numbers;
    const isDense = Array.isArray(numbers) && numbers.every((one) => typeof one === 'number');
    if (isDense) vectors.set(field, (numbers as readonly Json[]).length);
    else kept.set(field, isObject(numbers) ? 'a sparse vector' : 'a vector of vectors');
  }
  const source = Buffer.from(printExact(members as JsonObject));
  return { document: { id: asText(id), source }, vectors, kept };
}

function namedVectors(vector: Json | undefined): JsonObject {
  if (vector === undefined || vector === null) return {};
  return Array.isArray(vector) ? { [UNNAMED]: vector } : memberOf(vector);
}
