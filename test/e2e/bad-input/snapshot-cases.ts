// Invalid requests of snapshots. Repositories `r` and `ro` (readonly, the same folder) are
// registered; they contain the snapshot `s` of the indexes `books` (open) and `closed` (closed, two
// shards).
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const REPOSITORY = 'repository_exception';
const NAME = 'invalid_snapshot_name_exception';
const RESTORE = 'snapshot_restore_exception';
const MISSING = 'repository_missing_exception';

const put = (body?: unknown) => ['PUT', '/_snapshot/new', body] as const;
const fs = (settings: unknown, more: object = {}) => put({ type: 'fs', settings, ...more });
const make = (body?: unknown, query = '') => ['PUT', `/_snapshot/r/n${query}`, body] as const;
const restore = (body?: unknown) => ['POST', '/_snapshot/r/s/_restore', body] as const;
const renamed = (more: object) =>
  restore({ indices: 'books', rename_pattern: '$', rename_replacement: '2', ...more });

const REPOSITORIES: readonly BadCase[] = [
  bad('a repository without a body', put(), [400, 'parse_exception', 'request body is required']),
  bad('a repository from a list', put([1]), [400, 'parsing_exception']),
  bad('a repository without a type', put({}), [
    400,
    'action_request_validation_exception',
    'type is missing',
  ]),
  bad('a type of another server', put({ type: 'azure', settings: { container: 'x' } }), [
    400,
    REPOSITORY,
    '[new] repository type [azure] does not exist, there are [fs, s3]',
  ]),
  bad('a bucket that is not allowed', put({ type: 's3', settings: { bucket: 'abc' } }), [
    400,
    REPOSITORY,
    '[https://s3.us-east-1.amazonaws.com/abc] is not allowed by [snapshot.s3_places], which is empty',
  ]),
  bad('keys of S3', put({ type: 's3', settings: { bucket: 'abc', access_key: 'x' } }), [
    400,
    REPOSITORY,
    'setting [access_key] is not supported by type [s3], keys are never stored in a repository',
  ]),
  bad('a type that is a number', put({ type: 1 }), [400, REPOSITORY, 'type [1] does not exist']),
  bad('no location', fs({}), [400, REPOSITORY, '[new] missing location']),
  bad('an empty location', fs({ location: '' }), [400, REPOSITORY, 'missing location']),
  bad('a location elsewhere', fs({ location: '/etc/backup' }), [
    400,
    REPOSITORY,
    "location [/etc/backup] doesn't match any of the folders of [snapshot.path]",
  ]),
  bad('a location by dots', fs({ location: 'x/../../y' }), [400, REPOSITORY, 'snapshot.path']),
  bad('a location with a null character', fs({ location: 'a\u0000b' }), [400, REPOSITORY]),
  bad('a location that is a list', fs({ location: ['x'] }), [
    400,
    ILLEGAL,
    'setting [location] must be a plain value',
  ]),
  bad('settings that are a text', fs('x'), [400, ILLEGAL, 'malformed settings section']),
  bad('an unknown setting', fs({ location: 'x', chunk_size: '1mb' }), [
    400,
    REPOSITORY,
    'setting [chunk_size] is not supported by type [fs]',
  ]),
  bad('an unknown member', fs({ location: 'x' }, { bar: 1 }), [400, ILLEGAL, '[bar]']),
  bad('a rate without unit', fs({ location: 'x', max_snapshot_bytes_per_sec: '12' }), [
    400,
    ILLEGAL,
    '[max_snapshot_bytes_per_sec] with value [12] as a size in bytes',
  ]),
  bad('readonly that is no flag', fs({ location: 'x', readonly: 'maybe' }), [
    400,
    ILLEGAL,
    '[readonly]',
  ]),
  bad('no room for a snapshot', fs({ location: 'x', max_number_of_snapshots: 0 }), [
    400,
    ILLEGAL,
    'must be >= 1',
  ]),
  bad(
    'a name with a star',
    ['PUT', '/_snapshot/a*b', { type: 'fs' }],
    [400, REPOSITORY, '[a*b] must not contain the following characters'],
  ),
  bad('a name with a blank', ['PUT', '/_snapshot/a%20b', { type: 'fs' }], [400, REPOSITORY]),
  bad(
    'a repository that is not there',
    ['GET', '/_snapshot/nope'],
    [404, MISSING, '[nope] missing'],
  ),
  bad('forgetting one that is not there', ['DELETE', '/_snapshot/nope'], [404, MISSING]),
  bad('verifying one that is not there', ['POST', '/_snapshot/nope/_verify'], [404, MISSING]),
  bad(
    'cleaning up a readonly one',
    ['POST', '/_snapshot/ro/_cleanup'],
    [400, REPOSITORY, '[ro] repository is readonly'],
  ),
];

const SNAPSHOTS: readonly BadCase[] = [
  bad('a snapshot nowhere', ['PUT', '/_snapshot/nope/n'], [404, MISSING]),
  bad(
    'a snapshot in a readonly repository',
    ['PUT', '/_snapshot/ro/n'],
    [400, REPOSITORY, '[ro] cannot create snapshot in a readonly repository'],
  ),
  bad(
    'a snapshot twice',
    ['PUT', '/_snapshot/r/s'],
    [
      400,
      'snapshot_name_already_in_use_exception',
      '[r:s] Invalid snapshot name [s], snapshot with the same name already exists',
    ],
  ),
  bad('a large name', ['PUT', '/_snapshot/r/Big'], [400, NAME, 'must be lowercase']),
  bad('a name with a comma', ['PUT', '/_snapshot/r/a,b'], [400, NAME, "must not contain ','"]),
  bad('a name with an underscore', ['PUT', '/_snapshot/r/_n'], [400, NAME, "start with '_'"]),
  bad('a snapshot name with a star', ['PUT', '/_snapshot/r/n*'], [400, NAME, '[r:n*]']),
  bad('an index that is not there', make({ indices: 'nope' }), [
    404,
    'index_not_found_exception',
    'no such index [nope]',
  ]),
  bad('indexes by number', make({ indices: 5 }), [400, ILLEGAL, 'malformed indices section']),
  bad('an unknown parameter of a snapshot', make({ indexes: 'books' }), [
    400,
    ILLEGAL,
    'Unknown parameter [indexes]',
  ]),
  bad('partial that is no flag', make({ partial: 'x' }), [400, ILLEGAL, '[partial] to boolean']),
  bad('metadata that is a text', make({ metadata: 'x' }), [400, ILLEGAL, 'malformed metadata']),
  bad('large metadata', make({ metadata: { x: 'y'.repeat(2000) } }), [
    400,
    ILLEGAL,
    'metadata must be smaller than 1024 bytes',
  ]),
  bad('features', make({ feature_states: ['geoip'] }), [400, ILLEGAL, '[geoip] are not supported']),
  bad('a body that is a list', make([1]), [400, 'parsing_exception']),
  bad('waiting for maybe', make({}, '?wait_for_completion=maybe'), [400, ILLEGAL, '[maybe]']),
  bad('an unknown URL parameter', make({}, '?wait=true'), [400, ILLEGAL, '[wait]']),
  bad('a time without unit', make({}, '?master_timeout=5'), [400, ILLEGAL, 'time value']),
  bad(
    'a snapshot that is not there',
    ['GET', '/_snapshot/r/nope'],
    [404, 'snapshot_missing_exception', '[r:nope] is missing'],
  ),
  bad('its state', ['GET', '/_snapshot/r/nope/_status'], [404, 'snapshot_missing_exception']),
  bad('its deletion', ['DELETE', '/_snapshot/r/nope'], [404, 'snapshot_missing_exception']),
  bad('a deletion in a readonly repository', ['DELETE', '/_snapshot/ro/s'], [400, REPOSITORY]),
  bad('an unknown order', ['GET', '/_snapshot/r/_all?sort=age'], [400, ILLEGAL, '[age]']),
  bad('a page of nothing', ['GET', '/_snapshot/r/_all?size=0'], [400, ILLEGAL, '[size]']),
  bad(
    'a page before the first',
    ['GET', '/_snapshot/r/_all?offset=-1'],
    [400, ILLEGAL, '[offset]'],
  ),
  bad('a page after nothing', ['GET', '/_snapshot/r/_all?after=x'], [400, ILLEGAL, '[after]']),
  bad(
    'a clone',
    ['PUT', '/_snapshot/r/s/_clone/t', { indices: '*' }],
    [400, ILLEGAL, 'clones of snapshots are not supported'],
  ),
  bad('a mount', ['POST', '/_snapshot/r/s/_mount', {}], [400, ILLEGAL, 'searchable snapshots']),
  bad('a snapshot by PATCH', ['PATCH', '/_snapshot/r/s'], [405, ILLEGAL, 'GET']),
];

const RESTORES: readonly BadCase[] = [
  bad('a restore from nowhere', ['POST', '/_snapshot/nope/s/_restore'], [404, MISSING]),
  bad(
    'a restore of nothing',
    ['POST', '/_snapshot/r/nope/_restore'],
    [404, RESTORE, '[r:nope] snapshot does not exist'],
  ),
  bad('an open index in the way', restore({ indices: 'books' }), [
    400,
    RESTORE,
    'cannot restore index [books] because an open index with same name already exists',
  ]),
  bad(
    'a closed index of other size in the way',
    restore({ rename_pattern: 'books', rename_replacement: 'closed', indices: 'books' }),
    [
      400,
      RESTORE,
      'cannot restore index [closed] with [2] shards from a snapshot of index [books] with [1] shards',
    ],
  ),
  bad('an index that the snapshot lacks', restore({ indices: 'nope' }), [
    404,
    'index_not_found_exception',
    'no such index [nope]',
  ]),
  bad('an unknown parameter of a restore', restore({ bar: 1 }), [
    400,
    ILLEGAL,
    'Unknown parameter [bar]',
  ]),
  bad('a pattern that is none', renamed({ rename_pattern: '(' }), [
    400,
    'pattern_syntax_exception',
    '[rename_pattern]',
  ]),
  bad('a pattern that is a number', renamed({ rename_pattern: 5 }), [
    400,
    ILLEGAL,
    'malformed rename_pattern',
  ]),
  bad('a name that is none', renamed({ rename_replacement: 'A?' }), [
    400,
    'invalid_index_name_exception',
    '[booksA?]',
  ]),
  bad('two of one name', restore({ rename_pattern: '.+', rename_replacement: 'z' }), [
    400,
    RESTORE,
    'indices [books] and [closed] are renamed into the same index [z]',
  ]),
  bad('another number of shards', renamed({ index_settings: { number_of_shards: 2 } }), [
    400,
    RESTORE,
    'cannot modify setting [index.number_of_shards] on restore',
  ]),
  bad(
    'other analyzers',
    renamed({
      index_settings: { analysis: { analyzer: {} }, 'index.analysis.analyzer.a.type': 'simple' },
    }),
    [400, RESTORE, 'cannot modify setting [index.analysis.analyzer.a.type] on restore'],
  ),
  bad('without a number of shards', renamed({ ignore_index_settings: ['index.number_of_*'] }), [
    400,
    RESTORE,
    'cannot remove setting [index.number_of_shards] on restore',
  ]),
  bad('an unknown index setting', renamed({ index_settings: { 'index.foo': 2 } }), [
    400,
    ILLEGAL,
    'unknown setting [index.foo]',
  ]),
  bad('index settings that are a number', renamed({ index_settings: 5 }), [
    400,
    ILLEGAL,
    'malformed index_settings section',
  ]),
  bad('aliases by maybe', renamed({ include_aliases: 'maybe' }), [
    400,
    ILLEGAL,
    '[include_aliases]',
  ]),
  bad(
    'an alias of the name of an index',
    renamed({ rename_alias_pattern: '.+', rename_alias_replacement: 'books' }),
    [400, 'invalid_alias_name_exception', '[books]'],
  ),
  bad(
    'global state that is not there',
    [
      'POST',
      '/_snapshot/r/s/_restore',
      {
        indices: 'books',
        rename_pattern: '$',
        rename_replacement: '2',
        include_global_state: true,
      },
    ],
    [400, RESTORE, 'created without global state'],
  ),
];

export const SNAPSHOT_CASES = [...REPOSITORIES, ...SNAPSHOTS, ...RESTORES];
