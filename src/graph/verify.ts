// Reads the quotes of links again at their source. A missing quote makes the evidence stale: the
// link is kept and marked. A quote that has only moved is still valid.
import type { Backend, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { isConflict } from './conflict.js';
import { stringsOf } from './detectors/document.js';
import { type Edge, fromSource } from './edge.js';
import { sourcesOf } from './fresh.js';
import type { GraphDeps } from './graph.js';

export interface VerifyRequest {
  readonly types: readonly string[] | undefined;
  readonly detectors: readonly string[] | undefined;
  /** Documents whose quotes are read; undefined: all. */
  readonly nodes: readonly string[] | undefined;
}

export type Fault = 'source_missing' | 'field_missing' | 'quote_missing';

export interface VerifyAnswer {
  readonly brain: string;
  /** Links that are not retired and have a quote: the sum of the next three. */
  readonly checked: number;
  readonly ok: number;
  /** The quote is at another place of the text. */
  readonly moved: number;
  readonly stale: number;
  /** Links whose mark changed: they became stale, or are no longer stale. */
  readonly marked: number;
  readonly cleared: number;
  readonly links: readonly {
    readonly edge_id: string;
    readonly reason: Fault;
    readonly source: string;
    readonly quote: string;
  }[];
  readonly not_shown: number;
  readonly took: number;
}

const BATCH = 200;
const MAX_SHOWN = 100;
const ALL = 0x7fff_ffff;

type Verdict = 'ok' | 'moved' | Fault;

export async function verify(
  { backend, brains, clock }: GraphDeps,
  name: string,
  request: VerifyRequest,
): Promise<VerifyAnswer> {
  const started = performance.now();
  const brain = await brains.known(name);
  const counts = { checked: 0, ok: 0, moved: 0, stale: 0, marked: 0, cleared: 0 };
  const links: VerifyAnswer['links'][number][] = [];
  const ids = brain.hasEdges ? await quotedLinks(backend, brain.edges, request) : [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const edges = await readEdges(backend, brain.edges, ids.slice(at, at + BATCH));
    const sources = new Set(edges.map(sourceOf));
    const documents = brain.hasNodes
      ? await sourcesOf(backend, brain.nodes, [...sources], { excludes: ['vector', '*_vector'] })
      : new Map<string, Uint8Array>();
    const texts = new Texts(documents);
    for (const edge of edges) {
      const verdict = check(edge, texts);
      const stale = verdict !== 'ok' && verdict !== 'moved';
      counts.checked++;
      counts[stale ? 'stale' : verdict]++;
      const changed = await mark(backend, brain.edges, edge, stale, await clock.now(name));
      if (changed) counts[stale ? 'marked' : 'cleared']++;
      if (!stale || links.length === MAX_SHOWN) continue;
      const { edge_id } = edge;
      links.push({ edge_id, reason: verdict, source: sourceOf(edge), quote: quoteOf(edge) });
    }
  }
  const not_shown = counts.stale - links.length;
  const took = Math.round(performance.now() - started);
  return { brain: name, ...counts, links, not_shown, took };
}

async function quotedLinks(
  backend: Backend,
  index: string,
  { types, detectors, nodes }: VerifyRequest,
): Promise<readonly string[]> {
  await backend.publish(index);
  const filter: JsonObject[] = [
    ...(types === undefined ? [] : [{ terms: { type: types } }]),
    ...(detectors === undefined ? [] : [{ terms: { detector: detectors } }]),
    // Evidence without a source belongs to the document that the link starts from.
    ...(nodes === undefined
      ? []
      : [
          {
            bool: { should: [{ terms: { 'evidence.source': nodes } }, { terms: { src: nodes } }] },
          },
        ]),
  ];
  const query = {
    bool: { filter, must_not: [{ term: { asserted: true } }, { exists: { field: 'invalid_at' } }] },
  };
  const { hits, columns } = await backend.columns({ index, query, columns: ['_id'], size: ALL });
  return Array.from({ length: hits }, (_, hit) => String(columns[0]?.(hit) ?? ''));
}

async function readEdges(
  backend: Backend,
  index: string,
  ids: readonly string[],
): Promise<readonly Edge[]> {
  const sources = await sourcesOf(backend, index, ids, {});
  return [...sources]
    .map(([id, source]) => fromSource(id, source))
    .filter((edge) => quoteOf(edge) !== '');
}

function quoteOf({ evidence }: Edge): string {
  const quote = evidence?.['quote'];
  return typeof quote === 'string' ? quote : '';
}

function sourceOf({ evidence, src }: Edge): string {
  const source = evidence?.['source'];
  return typeof source === 'string' ? source : src;
}

/** The texts of documents by field, as bytes. */
class Texts {
  readonly #documents: ReadonlyMap<string, Uint8Array>;
  readonly #read = new Map<string, ReadonlyMap<string, readonly Buffer[]>>();

  constructor(documents: ReadonlyMap<string, Uint8Array>) {
    this.#documents = documents;
  }

  /** Undefined: there is no such document. */
  of(id: string): ReadonlyMap<string, readonly Buffer[]> | undefined {
    const source = this.#documents.get(id);
    if (source === undefined) return undefined;
    const there = this.#read.get(id);
    if (there !== undefined) return there;
    const fields = new Map<string, Buffer[]>();
    for (const [field, text] of stringsOf(
      JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject,
    ))
      fields.set(field, [...(fields.get(field) ?? []), Buffer.from(text)]);
    this.#read.set(id, fields);
    return fields;
  }
}

function check(edge: Edge, texts: Texts): Verdict {
  const fields = texts.of(sourceOf(edge));
  if (fields === undefined) return 'source_missing';
  const { field, offset } = edge.evidence ?? {};
  const quote = Buffer.from(quoteOf(edge));
  const values = typeof field === 'string' ? fields.get(field) : [...fields.values()].flat();
  if (values === undefined) return 'field_missing';
  const at = typeof offset === 'number' ? offset : undefined;
  if (at !== undefined && values.some((text) => text.subarray(at, at + quote.length).equals(quote)))
    return 'ok';
  if (!values.some((text) => text.includes(quote))) return 'quote_missing';
  return at === undefined ? 'ok' : 'moved';
}

/**
 * True if the call changed the mark of the link. On a version conflict the concurrent writer's
 * version is kept.
 */
async function mark(
  backend: Backend,
  index: string,
  edge: Edge,
  stale: boolean,
  now: number,
): Promise<boolean> {
  if ((edge.evidence?.['stale_at'] !== undefined) === stale) return false;
  const found = await backend.get({ index, id: edge.edge_id, source: true });
  if (found.source === undefined) return false;
  const document = JSON.parse(Buffer.from(found.source).toString('utf8')) as JsonObject;
  const { stale_at: _was, ...evidence } = document['evidence'] as JsonObject;
  const marked = { ...document, evidence: stale ? { ...evidence, stale_at: now } : evidence };
  try {
    await backend.write(
      {
        op: 'index',
        index,
        id: edge.edge_id,
        source: Buffer.from(plainJson(marked)),
        ...(found.seqNo === undefined ? {} : { ifSeqNo: found.seqNo }),
        ...(found.primaryTerm === undefined ? {} : { ifPrimaryTerm: BigInt(found.primaryTerm) }),
      },
      { refresh: 'false' },
    );
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
