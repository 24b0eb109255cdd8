// Links that detectors propose. They are kept apart from links and have no effect until a client
// accepts them. Rejected ones are kept, so that they are not proposed again.
import type { Backend, Json, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import { assertLinks, createAll, toEdge } from './assert-links.js';
import { isConflict } from './conflict.js';
import { fromSource, toSource } from './edge.js';
import { ensureIndex, SUGGESTIONS_BODY } from './edges-index.js';
import type { Finding } from './findings.js';
import type { GraphDeps } from './graph.js';
import { checkBrain, checkId, edgesIndex, suggestionsIndex } from './names.js';

export type SuggestionState = 'suggested' | 'accepted' | 'rejected';
export const SUGGESTION_STATES: readonly SuggestionState[] = ['suggested', 'accepted', 'rejected'];

export interface Suggestion {
  /** The id of the link once the suggestion is accepted. */
  readonly id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly evidence: JsonObject | null;
  readonly detector: string | null;
  readonly valid_at: number | null;
  readonly created_at: number | null;
  readonly state: SuggestionState;
  readonly decided_at: number | null;
}

export interface ListRequest {
  readonly state: SuggestionState;
  /** A node at either end of the suggested link. */
  readonly node: string | undefined;
  readonly types: readonly string[] | undefined;
  readonly detectors: readonly string[] | undefined;
  /** Clamped to 1..1000. */
  readonly limit: number;
}

export interface ListAnswer {
  readonly brain: string;
  readonly total: number;
  /** In descending order of strength. */
  readonly suggestions: readonly Suggestion[];
  readonly not_shown: number;
}

export interface DecisionAnswer {
  readonly brain: string;
  readonly id: string;
  readonly state: SuggestionState;
  /** False: the same decision was made before. */
  readonly changed: boolean;
  readonly edge_id?: string;
}

const MAX_LIMIT = 1000;

/** Stores the findings as suggestions and returns the number of new ones. */
export async function proposeLinks(
  deps: GraphDeps,
  brain: string,
  findings: readonly Finding[],
): Promise<number> {
  if (findings.length === 0) return 0;
  const index = suggestionsIndex(brain);
  await ensureIndex(deps.backend, index, SUGGESTIONS_BODY);
  const now = await deps.clock.now(brain);
  const documents = findings.map((finding) => {
    const edge = toEdge(deps.hash128, finding, now);
    return { id: edge.edge_id, source: withState(toSource(edge), 'suggested', null) };
  });
  const created = await createAll(deps.backend, index, documents);
  return created.filter(Boolean).length;
}

export async function listSuggestions(
  { backend, brains }: GraphDeps,
  name: string,
  { state, node, types, detectors, limit }: ListRequest,
): Promise<ListAnswer> {
  const brain = (await brains.known(name)).name;
  const index = suggestionsIndex(brain);
  if (!backend.exists(index, {})) return { brain, total: 0, suggestions: [], not_shown: 0 };
  await backend.publish(index);
  const filter: JsonObject[] = [{ term: { state } }];
  if (node !== undefined)
    filter.push({ bool: { should: [{ term: { src: node } }, { term: { dst: node } }] } });
  if (types !== undefined) filter.push({ terms: { type: types } });
  if (detectors !== undefined) filter.push({ terms: { detector: detectors } });
  const sort: Json[] = [{ strength: 'desc' }, { valid_at: 'desc' }, '_id'];
  const size = Math.min(Math.max(limit, 1), MAX_LIMIT);
  const { hits, total } = await backend.search({
    index,
    body: { query: { bool: { filter } }, size, sort, track_total_hits: true },
  });
  const all = total?.value ?? hits.length;
  const suggestions = hits.map(({ id, source }) => toSuggestion(id, source ?? EMPTY));
  return { brain, total: all, suggestions, not_shown: all - suggestions.length };
}

const EMPTY = Buffer.from('{}');

/**
 * Makes the link, then records the acceptance: after a crash in between, both a repeated acceptance
 * and a rejection find the link.
 */
export async function acceptSuggestion(
  deps: GraphDeps,
  brain: string,
  id: string,
): Promise<DecisionAnswer> {
  const { suggestion } = await read(deps.backend, brain, id);
  const { src, dst, type, confidence, weight, evidence, detector, valid_at } = suggestion;
  const [link] = await assertLinks(deps, brain, [
    {
      src,
      dst,
      type,
      confidence,
      weight,
      evidence,
      ...(detector === null ? {} : { detector }),
      ...(valid_at === null ? {} : { validAt: valid_at }),
    },
  ]);
  const changed = await decide(deps, brain, id, 'accepted');
  return { brain, id, state: 'accepted', changed, edge_id: link?.edgeId ?? id };
}

export async function rejectSuggestion(
  deps: GraphDeps,
  brain: string,
  id: string,
): Promise<DecisionAnswer> {
  await read(deps.backend, brain, id);
  if (await isLink(deps.backend, brain, id)) throw isAccepted(brain, id);
  const changed = await decide(deps, brain, id, 'rejected');
  return { brain, id, state: 'rejected', changed };
}

/**
 * Records a decision; false if the same one was recorded before. It is a compare-and-set: of two
 * concurrent decisions the second one sees the first.
 */
async function decide(
  deps: GraphDeps,
  brain: string,
  id: string,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const { backend, clock } = deps;
  for (;;) {
    const { suggestion, source, seqNo, primaryTerm } = await read(backend, brain, id);
    if (suggestion.state === state) return false;
    if (suggestion.state === 'accepted') throw isAccepted(brain, id);
    const now = await clock.now(brain);
    try {
      await backend.write(
        {
          op: 'index',
          index: suggestionsIndex(brain),
          id,
          source: withState(source, state, now),
          ifSeqNo: seqNo,
          ifPrimaryTerm: primaryTerm,
        },
        { refresh: 'false' },
      );
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

function isAccepted(brain: string, id: string): QuarryError {
  return new QuarryError(
    'version_conflict_engine_exception',
    `suggestion [${id}] was accepted and is a link, retire it by DELETE /_graph/${brain}/link/${id}`,
  );
}

/**
 * True if there is a link of the suggestion's id that is not retired, whatever the state of the
 * suggestion: it was accepted, or a client asserted the same link.
 */
async function isLink(backend: Backend, brain: string, id: string): Promise<boolean> {
  const index = edgesIndex(brain);
  if (!backend.exists(index, {})) return false;
  const { source } = await backend.get({ index, id, source: true });
  return source !== undefined && fromSource(id, source).expired_at === null;
}

interface StoredSuggestion {
  readonly suggestion: Suggestion;
  readonly source: Uint8Array;
  readonly seqNo: bigint;
  readonly primaryTerm: bigint;
}

async function read(backend: Backend, brain: string, id: string): Promise<StoredSuggestion> {
  checkBrain(brain);
  checkId(id, 'id');
  const index = suggestionsIndex(brain);
  const found = backend.exists(index, {})
    ? await backend.get({ index, id, source: true })
    : undefined;
  if (found?.source === undefined) {
    throw new QuarryError(
      'resource_not_found_exception',
      `no suggestion [${id}] in brain [${brain}]`,
      { extra: { 'resource.type': 'suggestion', 'resource.id': id } },
    );
  }
  const { source, seqNo = 0n, primaryTerm = 1 } = found;
  const suggestion = toSuggestion(id, source);
  return { suggestion, source, seqNo, primaryTerm: BigInt(primaryTerm) };
}

function withState(source: Uint8Array, state: SuggestionState, at: number | null): Uint8Array {
  const document = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
  const decided = at === null ? {} : { decided_at: at };
  return Buffer.from(plainJson({ ...document, state, ...decided }));
}

function toSuggestion(id: string, source: Uint8Array): Suggestion {
  const { src, dst, type, confidence, weight, evidence, detector, valid_at, created_at } =
    fromSource(id, source);
  const document = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
  const state = SUGGESTION_STATES.find((one) => one === document['state']) ?? 'suggested';
  const decided = document['decided_at'];
  const decided_at = typeof decided === 'number' ? decided : null;
  const shown = { id, src, dst, type, confidence, weight, evidence, detector };
  return { ...shown, valid_at, created_at, state, decided_at };
}
