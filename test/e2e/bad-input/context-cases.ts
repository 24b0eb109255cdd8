// Invalid requests of scrolls and points in time.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const INVALID = 'action_request_validation_exception';
const MISSING = 'search_context_missing_exception';
const PHASE = 'search_phase_execution_exception';
/** Ids of another server: well-formed, but unknown here. */
const SCROLL = 'AQEAAAAAAAAAAAAAAAAAAAAA2T3qBA';
const SORT = { sort: ['year'] };

const search = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/_search', body], [400, type, ...words]);
const scrolled = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/books/_search?scroll=1m', body], [400, type, ...words]);
const next = (name: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/_search/scroll', body], [400, type, ...words]);

export const CONTEXT_CASES: readonly BadCase[] = [
  bad(
    'pit without keep_alive',
    ['POST', '/books/_pit'],
    [400, INVALID, '[keep_alive] is not specified'],
  ),
  bad(
    'pit kept for ever',
    ['POST', '/books/_pit?keep_alive=30d'],
    [400, ILLEGAL, 'Keep alive for request (30d) is too large', 'search.max_keep_alive_ms'],
  ),
  bad(
    'pit kept no time',
    ['POST', '/books/_pit?keep_alive=0'],
    [400, ILLEGAL, '[keep_alive] must be longer than 0'],
  ),
  bad(
    'pit kept an odd time',
    ['POST', '/books/_pit?keep_alive=1x'],
    [400, ILLEGAL, '[1x] as a time value'],
  ),
  bad(
    'pit of an unknown index',
    ['POST', '/nobody/_pit?keep_alive=1m'],
    [404, 'index_not_found_exception', 'no such index [nobody]'],
  ),
  bad(
    'pit with a filter of indexes',
    ['POST', '/books/_pit?keep_alive=1m', { index_filter: {} }],
    [400, ILLEGAL, '[index_filter] is not supported'],
  ),
  bad(
    'pit with an unknown parameter',
    ['POST', '/books/_pit?keep_alive=1m&slices=2'],
    [400, ILLEGAL, 'unrecognized parameter: [slices]'],
  ),
  bad('closing no pit', ['DELETE', '/_pit', {}], [400, INVALID, '[id] is not specified']),
  bad(
    'closing a broken pit',
    ['DELETE', '/_pit', { id: 'xyz' }],
    [400, ILLEGAL, 'invalid id: [xyz]'],
  ),
  bad(
    'closing a pit that is a number',
    ['DELETE', '/_pit', { id: 5 }],
    [400, ILLEGAL, 'Unknown parameter [id]'],
  ),
  bad(
    'closing a pit by another name',
    ['DELETE', '/_pit', { pit: 'x' }],
    [400, ILLEGAL, 'Unknown parameter [pit]'],
  ),
  bad(
    'closing pits of OpenSearch without ids',
    ['DELETE', '/_search/point_in_time', {}],
    [400, INVALID, 'no pit ids specified'],
  ),
  bad(
    'closing a pit with nothing',
    ['DELETE', '/_pit'],
    [400, 'parse_exception', 'request body is required'],
  ),
  search('pit as a text', { pit: 'abc' }, PARSING, '[pit] must be an object', 'VALUE_STRING'),
  search('pit without id', { pit: { keep_alive: '1m' } }, ILLEGAL, 'id is not provided'),
  search(
    'pit with a number as id',
    { pit: { id: 7 } },
    PARSING,
    "id doesn't support values of type: VALUE_NUMBER",
  ),
  search(
    'pit with an unknown key',
    { pit: { id: 'x', routing: 'y' } },
    PARSING,
    '[pit] unknown field [routing]',
  ),
  search('pit with a broken id', { pit: { id: 'x' } }, ILLEGAL, 'invalid id: [x]'),
  search('pit with the id of a scroll', { pit: { id: SCROLL } }, ILLEGAL, 'invalid id'),
  search('pit with a long id', { pit: { id: 'x'.repeat(5000) } }, ILLEGAL, 'invalid id'),
  search(
    'pit kept as a number',
    { pit: { id: 'x', keep_alive: 5 } },
    PARSING,
    "keep_alive doesn't support values of type: VALUE_NUMBER",
  ),
  bad(
    'pit beside an index',
    ['POST', '/books/_search', { pit: { id: 'x' } }],
    [400, INVALID, '[indices] cannot be used with point in time'],
  ),
  bad(
    'pit beside a routing',
    ['POST', '/_search?routing=a', { pit: { id: 'x' } }],
    [400, INVALID, '[routing] cannot be used with point in time'],
  ),
  bad(
    'pit beside a preference',
    ['POST', '/_search?preference=_local', { pit: { id: 'x' } }],
    [400, INVALID, '[preference] cannot be used with point in time'],
  ),
  search(
    'sort by _shard_doc without a pit',
    { sort: ['_shard_doc'] },
    ILLEGAL,
    '[_shard_doc] sort field cannot be used without [point in time]',
  ),
  search(
    'a slice of nothing that lasts',
    { slice: { id: 0, max: 2 } },
    INVALID,
    '[slice] can only be used with [scroll] or [point-in-time] requests',
  ),
  scrolled(
    'scroll from the middle',
    { from: 5 },
    INVALID,
    'using [from] is not allowed in a scroll context',
  ),
  scrolled('scroll without hits', { size: 0 }, INVALID, '[size] cannot be [0] in a scroll context'),
  scrolled(
    'scroll without a total',
    { track_total_hits: false },
    INVALID,
    'disabling [track_total_hits] is not allowed',
  ),
  scrolled(
    'scroll after values',
    { ...SORT, search_after: [1] },
    INVALID,
    '[search_after] cannot be used in a scroll context',
  ),
  scrolled(
    'scroll of a point in time',
    { pit: { id: 'x' } },
    INVALID,
    'using [point in time] is not allowed in a scroll context',
  ),
  scrolled(
    'scroll of fused lists',
    { query: { hybrid: { queries: [{ match_all: {} }] } } },
    INVALID,
    'using [hybrid] is not allowed in a scroll context',
  ),
  scrolled(
    'scroll in batches too large',
    { size: 10_001 },
    ILLEGAL,
    'Batch size is too large',
    '[index.max_result_window]',
  ),
  scrolled('slice without max', { slice: { id: 0 } }, PARSING, 'Required [max] is missing'),
  scrolled(
    'slice beyond max',
    { slice: { id: 2, max: 2 } },
    ILLEGAL,
    'max must be greater than id',
  ),
  scrolled(
    'slice below 0',
    { slice: { id: -1, max: 2 } },
    ILLEGAL,
    'id must be greater than or equal to 0',
  ),
  scrolled('one slice', { slice: { id: 0, max: 1 } }, ILLEGAL, 'max must be greater than 1'),
  scrolled(
    'too many slices',
    { slice: { id: 0, max: 2000 } },
    ILLEGAL,
    'number of slices [2000] is too large',
  ),
  scrolled(
    'slice by a field',
    { slice: { field: 'year', id: 0, max: 2 } },
    ILLEGAL,
    '[slice] by [field] is not supported',
  ),
  scrolled('slice as a list', { slice: [] }, PARSING, '[slice] must be an object'),
  scrolled(
    'slice with an unknown key',
    { slice: { id: 0, max: 2, of: 1 } },
    PARSING,
    '[slice] unknown field [of]',
  ),
  bad(
    'scroll for too long',
    ['POST', '/books/_search?scroll=2d', {}],
    [400, ILLEGAL, 'Keep alive for request (2d) is too large'],
  ),
  bad(
    'scroll for no time',
    ['POST', '/books/_search?scroll=', {}],
    [400, ILLEGAL, 'as a time value'],
  ),
  bad(
    'scroll from the cache',
    ['POST', '/books/_search?scroll=1m&request_cache=true', {}],
    [400, INVALID, '[request_cache] cannot be used in a scroll context'],
  ),
  next('next batch of nothing', {}, INVALID, 'scrollId is missing'),
  next('next batch of a broken id', { scroll_id: 'abc' }, ILLEGAL, 'Cannot parse scroll id'),
  next(
    'next batch of a cut id',
    { scroll_id: SCROLL.slice(0, -1) },
    ILLEGAL,
    'Cannot parse scroll id',
  ),
  next('next batch of a number', { scroll_id: 5 }, ILLEGAL, 'Unknown parameter [scroll_id]'),
  next(
    'next batch with an unknown key',
    { scroll_id: 'x', size: 5 },
    ILLEGAL,
    'Unknown parameter [size]',
  ),
  bad('ending no scroll', ['DELETE', '/_search/scroll'], [400, INVALID, 'no scroll ids specified']),
  bad(
    'ending a broken scroll',
    ['DELETE', '/_search/scroll/abc'],
    [400, ILLEGAL, 'Cannot parse scroll id'],
  ),
  bad(
    'ending scrolls that are numbers',
    ['DELETE', '/_search/scroll', { scroll_id: [1] }],
    [400, ILLEGAL, 'should only contain scroll_id'],
  ),
  bad(
    'the batch of an unknown scroll',
    ['POST', '/_search/scroll', { scroll_id: SCROLL }],
    [404, PHASE, 'No search context found'],
    MISSING,
  ),
  bad(
    'a setting of the cluster that is none',
    ['PUT', '/_cluster/settings', { transient: { 'search.x': 1 } }],
    [400, ILLEGAL, 'setting [search.x], not recognized'],
  ),
  bad(
    'an odd time in the settings',
    ['PUT', '/_cluster/settings', { transient: { 'search.max_keep_alive': 'x' } }],
    [400, ILLEGAL, '[x] as a time value'],
  ),
];
