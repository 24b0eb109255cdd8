// `/{index}/_explain/{id}`: explains the score of a document, or reports that the query does not
// match it.
import type { IndexDescription, JsonObject, SearchHit } from '../../backend/index.js';
import { quote } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { documentId } from '../kit/document-address.js';
import { routingParam, SOURCE_PARAMS, sourceParam } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  optionalBody,
  part,
  type Route,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';
import { URI_QUERY, withUriQuery } from './request-body.js';
import { bodyWithStored } from './stored-fields.js';

/** The explanation of a document that the query does not match. */
const NO_MATCH = '{"value":0.0,"description":"no matching clause","details":[]}';
const WHOLE_HIT = { size: 1, track_total_hits: false, seq_no_primary_term: true };

export function explainRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.explain,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/:index/_explain/:id'],
      params: [...URI_QUERY, ...SOURCE_PARAMS, 'stored_fields', 'routing', 'preference'],
      handler: (request) => explain(deps, request),
    },
  ];
}

async function explain(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const query = await readQuery(request);
  const id = documentId(request);
  const { name: index } = oneIndex(deps, request);
  const shown = shownParts(request);
  const only = { ids: { values: [id] } };
  const named = part(request, 'index');
  const find = async (requested: JsonObject): Promise<SearchHit | undefined> => {
    const body = { ...WHOLE_HIT, ...shown, ...requested };
    const result = await deps.backend.search({
      index: named,
      body: bodyWithStored(deps, named, {}, body),
      allowPartialResults: false,
      waiter: request.waiter,
      ...routingParam(request.params),
    });
    return result.hits[0];
  };
  // The search applies the filter of an alias.
  const found = await find({ query, post_filter: only, explain: true });
  if (found !== undefined) {
    return answer(
      200,
      index,
      id,
      true,
      `,"explanation":${found.explanation ?? NO_MATCH}`,
      found,
      request,
    );
  }
  const present = await find({ query: only });
  const isThere = present !== undefined || (await isHidden(deps, request, id));
  if (!isThere) return answer(404, index, id, false, '', undefined, request);
  return answer(200, index, id, false, `,"explanation":${NO_MATCH}`, present, request);
}

/**
 * Whether the document exists but is excluded by the filter of an alias; the answer then says only
 * that there is no match. Always false for a caller that sees the index only through that filter.
 */
async function isHidden(deps: ApiDeps, request: ApiRequest, id: string): Promise<boolean> {
  const { name: index, filteredBy } = oneIndex(deps, request);
  if (filteredBy !== undefined || index === part(request, 'index')) return false;
  try {
    const body = { query: { ids: { values: [id] } } };
    const { count } = await deps.backend.count({ index, body, ...routingParam(request.params) });
    return count > 0;
  } catch (error) {
    if (error instanceof QuarryError && error.type === 'security_exception') return false;
    throw error;
  }
}

async function readQuery(request: ApiRequest): Promise<JsonObject> {
  const given = await optionalBody(request);
  for (const key of Object.keys(given)) {
    if (key === 'query') continue;
    throw new QuarryError('parsing_exception', `request does not support [${key}]`);
  }
  const { query } = withUriQuery(given, request.params);
  if (query === undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: query is missing;',
    );
  }
  return query as JsonObject;
}

function oneIndex(deps: ApiDeps, request: ApiRequest): IndexDescription {
  const name = part(request, 'index');
  const indexes = deps.backend.resolve(name, {});
  const [first, second] = indexes;
  if (first === undefined || second !== undefined || /[,*]/.test(name) || name === '_all') {
    throw new QuarryError(
      'illegal_argument_exception',
      `[${name}] has to name one index, it names [${indexes.map((index) => index.name).join(', ')}]`,
    );
  }
  return first;
}

function shownParts(request: ApiRequest): JsonObject {
  const source = sourceParam(request.params);
  const stored = request.params.list('stored_fields');
  return {
    _source:
      source === undefined || typeof source === 'boolean'
        ? (source ?? false)
        : { includes: source.includes, excludes: source.excludes },
    ...(stored === undefined ? {} : { stored_fields: stored }),
  };
}

function answer(
  status: number,
  index: string,
  id: string,
  matched: boolean,
  explanation: string,
  hit: SearchHit | undefined,
  request: ApiRequest,
): Answer {
  const requested =
    sourceParam(request.params) !== undefined || request.params.has('stored_fields');
  const get = hit === undefined || !requested ? '' : `,"get":${getSection(hit)}`;
  const text = `{"_index":${quote(index)},"_id":${quote(id)},"matched":${matched}${explanation}${get}}`;
  return { status, raw: Buffer.from(text) };
}

function getSection(hit: SearchHit): string {
  const source =
    hit.source === undefined ? '' : `,"_source":${Buffer.from(hit.source).toString('utf8')}`;
  const fields = hit.fields === undefined ? '' : `,"fields":${hit.fields}`;
  return `{"_seq_no":${hit.seqNo},"_primary_term":${hit.primaryTerm ?? 1},"found":true${source}${fields}}`;
}
