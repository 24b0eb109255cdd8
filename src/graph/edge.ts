// A link as it is stored in the edges index, and as a response shows it at a moment.
import type { Json, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { type LinkState, type LinkTimes, type Moment, stateAt } from './times.js';

export interface Edge extends LinkTimes {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly detector: string | null;
  /** True if the link has a quote as its evidence. */
  readonly evidenced: boolean;
  /** Also null where the documents of the links were not read. */
  readonly evidence: JsonObject | null;
}

/** A link in a response. */
export interface LinkView extends LinkTimes {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly evidence: JsonObject | null;
  readonly asserted: boolean;
  readonly detector: string | null;
  readonly state: LinkState;
}

export function strength({ confidence, weight }: Edge): number {
  return confidence * weight;
}

/** The view of a link that is shown whatever its state. */
export function viewOf(edge: Edge, moment: Moment): LinkView {
  return view(edge, edge.evidence, stateAt(edge, moment) ?? 'future', true);
}

/**
 * The view of a link at the moment. The end of a link is shown only if it had ended by then, so
 * that answers about the past never change.
 */
export function viewAt(
  edge: Omit<Edge, 'evidence'>,
  evidence: JsonObject | null,
  moment: Moment,
): LinkView {
  const state = stateAt(edge, moment) ?? 'future';
  return view(edge, evidence, state, state === 'retired');
}

function view(
  edge: Omit<Edge, 'evidence'>,
  evidence: JsonObject | null,
  state: LinkState,
  withEnd: boolean,
): LinkView {
  return {
    edge_id: edge.edge_id,
    src: edge.src,
    dst: edge.dst,
    type: edge.type,
    confidence: edge.confidence,
    weight: edge.weight,
    evidence,
    asserted: !edge.evidenced,
    detector: edge.detector,
    valid_at: edge.valid_at,
    invalid_at: withEnd ? edge.invalid_at : null,
    created_at: edge.created_at,
    expired_at: withEnd ? edge.expired_at : null,
    state,
  };
}

/** The source of the document that stores an edge. */
export function toSource(edge: Edge): Uint8Array {
  const { edge_id: _id, evidenced, evidence, detector, invalid_at, expired_at, ...rest } = edge;
  return Buffer.from(
    plainJson({
      ...rest,
      strength: strength(edge),
      asserted: !evidenced,
      ...(detector === null ? {} : { detector }),
      ...(evidence === null ? {} : { evidence }),
      ...(invalid_at === null ? {} : { invalid_at }),
      ...(expired_at === null ? {} : { expired_at }),
    }),
  );
}

/** The same source with the end of the link; other fields are kept. */
export function retiredSource(
  source: Uint8Array,
  invalid_at: number,
  expired_at: number,
): Uint8Array {
  const document = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
  return Buffer.from(plainJson({ ...document, invalid_at, expired_at }));
}

/**
 * Reads a document of the edges index, which may have been written by another writer than this
 * service.
 */
export function fromSource(id: string, source: Uint8Array): Edge {
  const document = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
  const evidence = document['evidence'];
  const found = typeof evidence === 'object' && evidence !== null && !Array.isArray(evidence);
  return {
    edge_id: id,
    src: textOf(document['src']),
    dst: textOf(document['dst']),
    type: textOf(document['type']),
    confidence: shareOf(document['confidence']),
    weight: shareOf(document['weight']),
    detector: typeof document['detector'] === 'string' ? document['detector'] : null,
    evidenced: found,
    evidence: found ? (evidence as JsonObject) : null,
    valid_at: instantOf(document['valid_at']),
    invalid_at: instantOf(document['invalid_at']),
    created_at: instantOf(document['created_at']),
    expired_at: instantOf(document['expired_at']),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
function shareOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 1;
}
function instantOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const ms = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
