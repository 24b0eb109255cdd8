// Invalid requests of detection, verification, suggestions, and of the graph clause. The brain
// `known` has a link, `b` does not exist.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const NOT_FOUND = 'resource_not_found_exception';

const detect = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`detection ${label}`, ['POST', '/_graph/known/detect', body], [400, ILLEGAL, ...words]);
const verify = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`verification ${label}`, ['POST', '/_graph/known/verify', body], [400, ILLEGAL, ...words]);
const list = (label: string, query: string, ...words: string[]): BadCase =>
  bad(
    `suggestions ${label}`,
    ['GET', `/_graph/known/suggestions?${query}`],
    [400, ILLEGAL, ...words],
  );
const clause = (label: string, graph: unknown, ...words: string[]): BadCase =>
  bad(
    `graph clause ${label}`,
    ['POST', '/.svc-memory-known-edges/_search', { query: { bool: { filter: { graph } } } }],
    [400, PARSING, ...words],
  );
const argument = (label: string, graph: object, ...words: string[]): BadCase =>
  bad(
    `graph clause ${label}`,
    ['POST', '/_search', { query: { graph: { brain: 'known', ...graph } } }],
    [400, ILLEGAL, ...words],
  );

export const GRAPH_DETECTION_CASES = [
  detect('with an unknown key', { detector: ['ids'] }, 'unknown key [detector]', 'detectors'),
  detect('by unknown detectors', { detectors: ['ids', 'magic'] }, '["magic"]', 'wiki-links'),
  detect('by no detectors', { detectors: [] }, '[detectors]', 'at least one'),
  detect('by a detector as text', { detectors: 'ids' }, '[detectors]', 'list of strings'),
  detect('by a number', { detectors: [1] }, '[detectors]', 'list of strings'),
  detect('of nodes as text', { nodes: 'a' }, '[nodes]', 'list of strings'),
  detect('of no nodes', { nodes: [] }, '[nodes]', 'at least one'),
  detect('of an empty node', { nodes: [''] }, '[nodes]', 'empty'),
  detect('of a node with NUL', { nodes: ['a\0'] }, '[nodes]', 'NUL'),
  detect('of a node of 513 bytes', { nodes: ['x'.repeat(513)] }, '[nodes]', '513', '512'),
  detect('since a word', { since: 'yesterday' }, '[since]', 'RFC 3339', '["yesterday"]'),
  detect('since half a millisecond', { since: 1.5 }, '[since]', '[1.5]'),
  detect('since beyond all dates', { since: 9e15 }, '[since]', 'beyond'),
  detect('since a date without a time', { since: '2024-01-01' }, '[since]', 'RFC 3339'),
  detect('as a dry run of text', { dry_run: 'yes' }, '[dry_run]', 'true or false', '["yes"]'),
  bad('detection of a list', ['POST', '/_graph/known/detect', '[]'], [400, PARSING, 'object']),
  bad(
    'detection in broken JSON',
    ['POST', '/_graph/known/detect', '{'],
    [400, 'x_content_parse_exception'],
  ),
  bad(
    'detection that waits a little',
    ['POST', '/_graph/known/detect?wait_for_completion=little'],
    [400, ILLEGAL, 'wait_for_completion', 'little'],
  ),
  bad(
    'detection with an unknown parameter',
    ['POST', '/_graph/known/detect?dry_run=true'],
    [400, ILLEGAL, 'dry_run'],
  ),
  bad('detection of an unknown brain', ['POST', '/_graph/b/detect'], [404, NOT_FOUND, '[b]']),
  bad('detection of a badly named brain', ['POST', '/_graph/B/detect'], [400, ILLEGAL, '[B]']),
  bad('progress of a badly named brain', ['GET', '/_graph/B/detect'], [400, ILLEGAL, '[B]']),
  bad('detection by PUT', ['PUT', '/_graph/known/detect', {}], [405, ILLEGAL, 'PUT']),

  verify('with an unknown key', { since: 1 }, 'unknown key [since]', 'types'),
  verify('of types as text', { types: 'a' }, '[types]', 'list of strings'),
  verify('of no types', { types: [] }, '[types]', 'at least one'),
  verify('of nodes with a number', { nodes: ['a', 2] }, '[nodes]', 'list of strings'),
  verify('of detectors as an object', { detectors: {} }, '[detectors]', 'list of strings'),
  bad('verification of an unknown brain', ['POST', '/_graph/b/verify'], [404, NOT_FOUND, '[b]']),
  bad('verification by GET', ['GET', '/_graph/known/verify'], [405, ILLEGAL, 'GET']),

  list('of a state of their own', 'state=maybe', 'state', 'maybe', 'suggested'),
  list('with a limit of text', 'limit=many', '[limit]', 'many'),
  list('with a limit of 1.5', 'limit=1.5', '[limit]', '1.5'),
  list('with an unknown parameter', 'detector=ids', 'detector'),
  bad('suggestions of an unknown brain', ['GET', '/_graph/b/suggestions'], [404, NOT_FOUND, '[b]']),
  ...(['accept', 'reject'] as const).flatMap((verb) => [
    bad(
      `${verb} of an unknown suggestion`,
      ['POST', `/_graph/known/suggestions/x/${verb}`],
      [404, NOT_FOUND, '[x]', '[known]'],
    ),
    bad(
      `${verb} with a body`,
      ['POST', `/_graph/known/suggestions/x/${verb}`, { why: 1 }],
      [400, ILLEGAL, 'unknown key [why]'],
    ),
    bad(
      `${verb} in a badly named brain`,
      ['POST', `/_graph/B/suggestions/x/${verb}`],
      [400, ILLEGAL, '[B]'],
    ),
    bad(`${verb} by GET`, ['GET', `/_graph/known/suggestions/x/${verb}`], [405, ILLEGAL, 'GET']),
  ]),

  clause('that is text', 'a', '[graph]', 'must be an object'),
  clause('without a start', { brain: 'known' }, '[node]', '[seeds]'),
  clause('with two starts', { brain: 'known', node: 'a', seeds: ['a'] }, 'one of them'),
  clause('with no seeds', { brain: 'known', seeds: [] }, 'at least one id'),
  clause('with hops of 0', { brain: 'known', node: 'a', hops: 0 }, '[hops]', '[0]'),
  clause('with hops of -1', { brain: 'known', node: 'a', hops: -1 }, '[hops]', '[-1]'),
  clause('with hops of 1.5', { brain: 'known', node: 'a', hops: 1.5 }, '[hops]', '[1.5]'),
  clause('with hops of 3', { brain: 'known', node: 'a', hops: 3 }, '[hops]', '[3]'),
  clause('with an unknown key', { brain: 'known', node: 'a', hop: 1 }, '[hop]', 'expected some of'),
  clause('with types as text', { brain: 'known', node: 'a', types: 'x' }, '[types]', 'list'),
  clause(
    'with an unknown way',
    { brain: 'known', node: 'a', direction: 'up' },
    '[direction]',
    'both',
  ),
  clause('without a brain', { node: 'a' }, '[brain]', 'known-edges'),
  argument('with NUL in a seed', { seeds: ['a\0'] }, '[seeds]', 'NUL'),
  argument('at a time that is none', { node: 'a', as_of: 'soon' }, '[as_of]', '["soon"]'),
  argument(
    'in an odd zone',
    { node: 'a', as_of: '2024-01-01T00:00:00+25:00' },
    '[as_of]',
    '+25:00',
  ),
  argument('known at a list', { node: 'a', known_at: [1] }, '[known_at]'),
  argument('in a badly named brain', { node: 'a', brain: 'B' }, '[B]'),
  bad(
    'graph clause in an unknown brain',
    ['POST', '/_count', { query: { graph: { brain: 'b', node: 'a' } } }],
    [404, NOT_FOUND, '[b]'],
  ),
];
