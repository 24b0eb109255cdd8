// Turns the references that detectors find in a document into links: with the type that the words
// before a reference give, with the quote and its byte offset, and each link once.
import type { JsonObject } from '../backend/index.js';
import type { CooperativeTask } from '../base/cooperative-task.js';
import { byteOffsets } from './detectors/byte-offsets.js';
import { withCues } from './detectors/cues.js';
import {
  type Detector,
  labelOf,
  REFERENCES,
  type Reference,
  type Running,
} from './detectors/detector.js';
import { type NodeDocument, pathOf, type TextField } from './detectors/document.js';
import type { NodeNames } from './detectors/node-names.js';

/** A detector with its state of the current run. */
export interface Worker {
  readonly detector: Detector;
  readonly running: Running;
}

export interface Finding {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly evidence: JsonObject;
  readonly validAt: number;
  /** `name@version`. */
  readonly detector: string;
  readonly suggested: boolean;
  /** Called when all documents are searched: false drops the finding. */
  readonly keeps: () => boolean;
}

/**
 * Start of the validity of links from a document without a time of its own: the same on every run.
 */
const ALWAYS = 0;
const MAX_QUOTE = 500;
/**
 * Proposals of these types state something that other links between the two nodes do not: they are
 * useful in addition to those.
 */
export const OWN_NEWS = new Set(['contradicts', 'updates']);

interface FoundReference {
  readonly reference: Reference;
  readonly worker: Worker;
}

/**
 * The links of one document. A proposal is dropped where an asserted link says more. Yields,
 * because a long text takes long.
 */
export function* findingsIn(
  document: NodeDocument,
  nodes: NodeNames,
  workers: readonly Worker[],
): CooperativeTask<readonly Finding[]> {
  const found: FoundReference[] = [];
  for (const worker of workers) {
    for (const reference of worker.running.find(document, nodes))
      if (reference.node !== document.id) found.push({ reference, worker });
    yield;
  }
  const best = new Map<string, FoundReference>();
  for (const one of typed(document, found)) {
    const { node, type, reversed } = one.reference;
    const key = `${reversed === true ? '<' : '>'}${type}\0${node}`;
    const there = best.get(key);
    if (there === undefined || there.reference.confidence < one.reference.confidence)
      best.set(key, one);
  }
  yield;
  const byNode = groupedBy(best.values(), ({ reference }) => reference.node);
  const kept = [...best.values()].filter((one) =>
    saysMore(one, byNode.get(one.reference.node) ?? []),
  );
  return toFindings(document, kept);
}

/**
 * Groups items in one pass: a document may have as many texts as references, so that a search of
 * all texts for each reference would be quadratic.
 */
function groupedBy<T>(items: Iterable<T>, keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function textsByField({ texts }: NodeDocument): ReadonlyMap<string, TextField> {
  return new Map(texts.map((text) => [text.field, text]));
}

/** The references with the types that cues give, text by text. */
function typed(
  document: NodeDocument,
  found: readonly FoundReference[],
): readonly FoundReference[] {
  const texts = textsByField(document);
  return [...groupedBy(found, ({ reference }) => reference.field)].flatMap(([field, here]) => {
    here.sort((a, b) => a.reference.start - b.reference.start || b.reference.end - a.reference.end);
    const prose = texts.get(field)?.prose;
    if (prose === undefined) return here;
    // References that two detectors find in one place have the same cue.
    const references = withCues(
      prose,
      here.filter(({ worker }) => !worker.detector.suggests).map(({ reference }) => reference),
    );
    let next = 0;
    return here.map((one) =>
      one.worker.detector.suggests
        ? one
        : { ...one, reference: references[next++] ?? one.reference },
    );
  });
}

/** `others`: all references to the same document. */
function saysMore(
  { reference, worker }: FoundReference,
  others: readonly FoundReference[],
): boolean {
  // A reference in a field of its own keeps its type.
  const general = reference.type === REFERENCES && reference.quote === undefined;
  const { suggests } = worker.detector;
  if ((!general && !suggests) || OWN_NEWS.has(reference.type)) return true;
  for (const other of others) {
    if (other.reference === reference) continue;
    if (other.worker.detector.suggests) continue;
    // Either both are about the same words, or the proposal adds nothing to a certain link.
    if (suggests || isTypedReference(other.reference.type)) return false;
  }
  return true;
}

/** True for a type that a cue or explicit syntax gave to what would be a plain reference. */
function isTypedReference(type: string): boolean {
  return !['references', 'follows', 'uses', 'quotes', 'tagged', 'mentions', 'thread'].includes(
    type,
  );
}

function toFindings(document: NodeDocument, found: readonly FoundReference[]): readonly Finding[] {
  if (found.length === 0) return [];
  const texts = textsByField(document);
  const bytes = new Map<string, ReadonlyMap<number, number>>();
  for (const [field, here] of groupedBy(found, ({ reference }) => reference.field)) {
    const text = texts.get(field)?.text;
    if (text === undefined) continue;
    const starts = here.map(({ reference }) => reference.start).sort((a, b) => a - b);
    const offsets = byteOffsets(text, starts);
    bytes.set(field, new Map(starts.map((start, i) => [start, offsets[i] ?? 0])));
  }
  return found.map(({ reference, worker }) => {
    const { node, type, confidence, weight = 1, reversed, field, start, end, also } = reference;
    const text = texts.get(field)?.text ?? '';
    const quote = reference.quote ?? clip(text.slice(start, end));
    const offset = bytes.get(field)?.get(start) ?? start;
    return {
      src: reversed === true ? node : document.id,
      dst: reversed === true ? document.id : node,
      type,
      confidence,
      weight,
      evidence: { quote, source: document.id, field: pathOf(field), offset, ...also },
      validAt: document.at ?? ALWAYS,
      detector: labelOf(worker.detector),
      suggested: worker.detector.suggests,
      keeps: () => worker.running.keeps?.(reference) ?? true,
    };
  });
}

/** Does not cut a surrogate pair in half. */
function clip(quote: string): string {
  if (quote.length <= MAX_QUOTE) return quote;
  const last = quote.charCodeAt(MAX_QUOTE - 1);
  return quote.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_QUOTE - 1 : MAX_QUOTE);
}
