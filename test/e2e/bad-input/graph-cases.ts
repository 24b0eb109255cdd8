// Invalid requests of the link graph: names of brains, links, retirements, queries.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const MISSING = 'action_request_validation_exception';
const NOT_FOUND = 'resource_not_found_exception';
const LINK = { src: 'a', dst: 'b', type: 't' };

const link = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(label, ['POST', '/_graph/b/link', body], [400, ILLEGAL, ...words]);
const lacking = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(label, ['POST', '/_graph/b/link', body], [400, MISSING, ...words]);
const ego = (label: string, query: string, ...words: string[]): BadCase =>
  bad(label, ['GET', `/_graph/b/ego?${query}`], [400, ILLEGAL, ...words]);
const brain = (label: string, name: string, ...words: string[]): BadCase =>
  bad(label, ['POST', `/_graph/${name}/link`, LINK], [400, ILLEGAL, 'brain name', ...words]);
const unlink = (label: string, rest: string, body: unknown, ...words: string[]): BadCase =>
  bad(label, ['DELETE', `/_graph/b/link/${rest}`, body], [400, ILLEGAL, ...words]);
const put = (label: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(label, ['PUT', '/_graph/b', body], [400, type, ...words]);

const EDGE = 'f'.repeat(32);

export const GRAPH_CASES = [
  brain('brain in capitals', 'Notes', 'Notes', 'a-z'),
  brain('brain that starts with an underscore', '_notes', '_notes'),
  brain('brain that starts with a dot', '.notes', '.notes'),
  brain('brain with a space', 'my%20notes', 'my notes'),
  brain('brain with an umlaut', '%C3%BC', 'a-z'),
  brain('brain with a NUL', 'a%00b', 'a-z'),
  brain('brain with two dots', 'a..b', '[..]'),
  brain('brain of links', 'a-edges', '-edges', 'brain [a]'),
  brain('brain of 201 characters', 'x'.repeat(201), '201', '200'),
  bad('ego of a badly named brain', ['GET', '/_graph/A/ego?node=a'], [400, ILLEGAL, 'brain name']),
  bad('overview of a badly named brain', ['GET', '/_graph/A/overview'], [400, ILLEGAL, '[A]']),
  bad(
    'settings of a badly named brain',
    ['PUT', '/_graph/A', { nodes_index: 'x' }],
    [400, ILLEGAL],
  ),

  bad('link without a body', ['POST', '/_graph/b/link'], [400, 'parse_exception', 'body']),
  bad(
    'link in broken JSON',
    ['POST', '/_graph/b/link', '{"src"'],
    [400, 'x_content_parse_exception'],
  ),
  bad(
    'link that is a list',
    ['POST', '/_graph/b/link', '[]'],
    [400, 'parsing_exception', 'object'],
  ),
  lacking('link of nothing', {}, '[src]', '[dst]', '[type]'),
  lacking('link without a source', { dst: 'b', type: 't' }, '[src] is missing'),
  lacking('link without a destination', { src: 'a', type: 't' }, '[dst] is missing'),
  lacking('link without a type', { src: 'a', dst: 'b' }, '[type] is missing'),
  lacking('link from null', { ...LINK, src: null }, '[src] is missing'),
  link('link to itself', { ...LINK, dst: 'a' }, '[src]', '[dst]', '["a"]'),
  link('link from a number', { ...LINK, src: 7 }, '[src]', 'string', '[7]'),
  link('link to a list', { ...LINK, dst: ['b'] }, '[dst]', 'string'),
  link('link of an empty type', { ...LINK, type: '' }, '[type]', 'empty'),
  link('link from an empty id', { ...LINK, src: '' }, '[src]', 'empty'),
  link('NUL in a source', { ...LINK, src: 'a\0b' }, '[src]', 'NUL'),
  link('NUL in a destination', { ...LINK, dst: '\0' }, '[dst]', 'NUL'),
  link('NUL in a type', { ...LINK, type: 't\0' }, '[type]', 'NUL'),
  link('half a character in an id', '{"src":"\\ud800","dst":"b","type":"t"}', '[src]', 'surrogate'),
  link('id of 513 bytes', { ...LINK, src: 'x'.repeat(513) }, '[src]', '513', '512'),
  link('confidence above 1', { ...LINK, confidence: 1.5 }, '[confidence]', '0 to 1', '[1.5]'),
  link('confidence below 0', { ...LINK, confidence: -0.1 }, '[confidence]'),
  link(
    'confidence beyond all numbers',
    '{"src":"a","dst":"b","type":"t","confidence":1e400}',
    '[confidence]',
  ),
  link('confidence in words', { ...LINK, confidence: 'high' }, '[confidence]', '["high"]'),
  link('weight that is a list', { ...LINK, weight: [1] }, '[weight]', '[[1]]'),
  link('weight that is true', { ...LINK, weight: true }, '[weight]', '[true]'),
  link(
    'weight of 20 digits',
    '{"src":"a","dst":"b","type":"t","weight":12345678901234567890}',
    '[weight]',
  ),
  link('evidence in words', { ...LINK, evidence: 'see b' }, '[evidence]', 'object'),
  link('evidence without a quote', { ...LINK, evidence: { source: 'a' } }, '[evidence.quote]'),
  link(
    'evidence from a number',
    { ...LINK, evidence: { quote: 'q', source: 1 } },
    '[evidence.source]',
  ),
  link(
    'evidence at half a byte',
    { ...LINK, evidence: { quote: 'q', offset: 0.5 } },
    '[evidence.offset]',
  ),
  link(
    'evidence before the text',
    { ...LINK, evidence: { quote: 'q', offset: -1 } },
    '[evidence.offset]',
  ),
  link('evidence with an unknown key', { ...LINK, evidence: { quote: 'q', page: 2 } }, '[page]'),
  link('link with an unknown key', { ...LINK, label: 'x' }, '[label]', 'valid_at'),
  link('link with its end', { ...LINK, invalid_at: 5 }, '[invalid_at]', 'DELETE'),
  link('link that begins in words', { ...LINK, valid_at: 'yesterday' }, '[valid_at]', 'RFC 3339'),
  link(
    'link that begins without a zone',
    { ...LINK, valid_at: '2026-01-01T00:00:00' },
    '[valid_at]',
  ),
  link(
    'link that begins on 30 February',
    { ...LINK, valid_at: '2026-02-30T00:00:00Z' },
    '[valid_at]',
  ),
  link(
    'link that begins in a zone of 25 hours',
    { ...LINK, valid_at: '2026-01-01T00:00:00+25:00' },
    '[valid_at]',
  ),
  link('link that begins at half a millisecond', { ...LINK, valid_at: 1.5 }, '[valid_at]', '[1.5]'),
  link('link that begins beyond all dates', { ...LINK, valid_at: 1e16 }, '[valid_at]', 'beyond'),
  link('link that begins in an object', { ...LINK, valid_at: {} }, '[valid_at]'),
  bad(
    'link with an unknown parameter',
    ['POST', '/_graph/b/link?refresh=true', LINK],
    [400, ILLEGAL, '[refresh]'],
  ),

  bad(
    'end of an unknown link',
    ['DELETE', `/_graph/known/link/${EDGE}`],
    [404, NOT_FOUND, EDGE, '[known]'],
  ),
  bad(
    'end of a link in an unknown brain',
    ['DELETE', `/_graph/nobody/link/${EDGE}`],
    [404, NOT_FOUND, '[nobody]'],
  ),
  unlink('end in words', `${EDGE}?invalid_at=now`, undefined, '[invalid_at]', '["now"]'),
  unlink('end in a list', EDGE, { invalid_at: [] }, '[invalid_at]'),
  unlink(
    'end said twice',
    `${EDGE}?invalid_at=5`,
    { invalid_at: 5 },
    '[invalid_at]',
    'one of them',
  ),
  unlink('end with an unknown key', EDGE, { at: 5 }, '[at]', '[invalid_at]'),
  unlink('end of an id with NUL', 'a%00b', undefined, '[edge_id]', 'NUL'),
  unlink('end of an id of 600 bytes', 'x'.repeat(600), undefined, '[edge_id]', '600'),
  bad(
    'end before the beginning',
    ['DELETE', `/_graph/known/link/{edge}?invalid_at=999`],
    [400, ILLEGAL, '999', '1000'],
  ),

  bad('ego without a node', ['GET', '/_graph/known/ego'], [400, MISSING, '[node]']),
  ego('ego of an empty node', 'node=', '[node]', 'empty'),
  ego('ego of a node with NUL', 'node=a%00', '[node]', 'NUL'),
  ego('ego over 0 hops', 'node=a&hops=0', '[hops]', '[0]'),
  ego('ego over -1 hops', 'node=a&hops=-1', '[hops]', '[-1]'),
  ego('ego over 1.5 hops', 'node=a&hops=1.5', '[hops]', '[1.5]'),
  ego('ego over many hops', 'node=a&hops=many', '[hops]', '[many]'),
  ego('ego in a direction of its own', 'node=a&direction=up', 'direction', '[up]', 'both'),
  ego('ego with a limit in words', 'node=a&limit=all', '[limit]', '[all]'),
  ego('ego with half a limit', 'node=a&limit=2.5', '[limit]'),
  ego('ego with a flag in words', 'node=a&include_expired=yes', '[include_expired]', '[yes]'),
  ego('ego with a number for a flag', 'node=a&include_nodes=1', '[include_nodes]', '[1]'),
  ego('ego as of yesterday', 'node=a&as_of=yesterday', '[as_of]', '["yesterday"]'),
  ego('ego as of a day', 'node=a&as_of=2026-01-01', '[as_of]', 'RFC 3339'),
  ego('ego as known at nothing', 'node=a&known_at=', '[known_at]'),
  ego('ego with an unknown parameter', 'node=a&depth=2', '[depth]'),
  bad(
    'ego of an unknown brain',
    ['GET', '/_graph/nobody/ego?node=a'],
    [404, NOT_FOUND, '[nobody]'],
  ),
  bad('ego by POST', ['POST', '/_graph/known/ego?node=a'], [405, ILLEGAL, 'GET']),
  bad(
    'overview with a top in words',
    ['GET', '/_graph/known/overview?top=ten'],
    [400, ILLEGAL, '[top]'],
  ),
  bad(
    'overview as of nonsense',
    ['GET', '/_graph/known/overview?as_of=1e3'],
    [400, ILLEGAL, '[as_of]'],
  ),
  bad('links by an unknown verb', ['PUT', '/_graph/known/link', LINK], [405, ILLEGAL, 'POST']),

  put('settings without a body', undefined, 'parse_exception', 'body'),
  put('settings of nothing', {}, MISSING, '[nodes_index]'),
  put('settings with an unknown key', { index: 'x' }, ILLEGAL, '[index]', '[nodes_index]'),
  put('nodes in a number', { nodes_index: 5 }, ILLEGAL, '[nodes_index]', '[5]'),
  put('nodes in a pattern', { nodes_index: 'notes-*' }, ILLEGAL, '[nodes_index]', 'notes-*'),
  put('nodes in two indexes', { nodes_index: 'a,b' }, ILLEGAL, '[nodes_index]', 'a,b'),
  put('nodes in no index', { nodes_index: '' }, ILLEGAL, '[nodes_index]'),
  put('nodes in half a letter', { nodes_index: '\ud800' }, ILLEGAL, '[nodes_index]', 'ud800'),
  put('nodes in a long name', { nodes_index: 'x'.repeat(256) }, ILLEGAL, '256 bytes', '255'),
];
