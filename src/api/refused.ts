// Routes of Elasticsearch that this server does not have: refused by name, so that nobody takes the refusal for a wrong
// address.
import { QuarryError } from '../errors.js';
import type { Method, Route } from './routes.js';
import { UNSUPPORTED } from './schemas/kinds.js';

interface Refused {
  readonly what: string;
  /** What to do in its place. */
  readonly instead: string;
  readonly paths: readonly string[];
}

const REFUSED: readonly Refused[] = [
  {
    what: 'term vectors [_termvectors, _mtermvectors]',
    instead: 'use [_analyze] and [_explain]',
    paths: [
      '/:index/_termvectors',
      '/:index/_termvectors/:id',
      '/_mtermvectors',
      '/:index/_mtermvectors',
    ],
  },
  {
    what: 'ingest pipelines [_ingest]',
    instead: 'change documents before they are sent',
    paths: ['/_ingest/*'],
  },
  {
    what: 'lifecycle policies [_ilm, _slm]',
    instead: 'use [_rollover], [_snapshot] and a schedule of your own',
    paths: ['/_ilm/*', '/:index/_ilm/*', '/_slm/*'],
  },
  {
    what: 'data streams [_data_stream]',
    instead: 'write to an index or an alias',
    paths: ['/_data_stream', '/_data_stream/*'],
  },
  {
    what: 'percolator queries [_percolate]',
    instead: 'run the stored queries as searches',
    paths: ['/:index/_percolate', '/:index/_percolate/*'],
  },
  {
    what: 'vector tiles [_mvt]',
    instead: 'there are no geo fields here',
    paths: ['/:index/_mvt/*'],
  },
  {
    what: 'SQL, EQL and ES|QL [_sql, _eql, _query]',
    instead: 'send a [_search]',
    paths: ['/_sql', '/_sql/*', '/_query', '/_query/*', '/:index/_eql/*'],
  },
  {
    what: 'asynchronous searches [_async_search]',
    instead: 'send a [_search] with a [timeout]',
    paths: ['/_async_search', '/_async_search/*', '/:index/_async_search'],
  },
  {
    what: 'splits, shrinks and clones of indexes [_split, _shrink, _clone]',
    instead: 'create the index and [_reindex] into it',
    paths: ['/:index/_split/:target', '/:index/_shrink/:target', '/:index/_clone/:target'],
  },
  {
    what: 'lists of terms [_terms_enum]',
    instead: 'use a [terms] aggregation with [include]',
    paths: ['/:index/_terms_enum'],
  },
];

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

export function refusedRoutes(): readonly Route[] {
  return REFUSED.map(({ what, instead, paths }) => ({
    schema: UNSUPPORTED,
    methods: METHODS,
    paths,
    params: [],
    anyParams: true,
    ndjson: true,
    handler: () => {
      throw new QuarryError(
        'illegal_argument_exception',
        `${what} are not supported by this server, ${instead}`,
      );
    },
  }));
}
