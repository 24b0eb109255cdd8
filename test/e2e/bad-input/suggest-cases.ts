// Invalid suggesters.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const PARSE = 'parse_exception';

const search = (name: string, suggest: unknown, type: string, ...words: string[]): BadCase =>
  bad(name, ['POST', '/books/_search', { suggest }], [400, type, ...words]);
const term = (name: string, options: object, type: string, ...words: string[]): BadCase =>
  search(name, { s: { text: 'x', term: { field: 'title', ...options } } }, type, ...words);
const phrase = (name: string, options: object, type: string, ...words: string[]): BadCase =>
  search(name, { s: { text: 'x', phrase: { field: 'title', ...options } } }, type, ...words);
const generator = (name: string, options: object, type: string, ...words: string[]): BadCase =>
  phrase(name, { direct_generator: [{ field: 'title', ...options }] }, type, ...words);

const completion = (name: string, options: object, type: string, ...words: string[]): BadCase =>
  search(name, { s: { prefix: 'x', completion: { field: 'go', ...options } } }, type, ...words);
const fuzzy = (name: string, options: object, type: string, ...words: string[]): BadCase =>
  completion(name, { fuzzy: options }, type, ...words);
const mapped = (name: string, options: object, ...words: string[]): BadCase =>
  bad(
    name,
    ['PUT', '/bad', { mappings: { properties: { c: { type: 'completion', ...options } } } }],
    [400, 'mapper_parsing_exception', ...words],
  );
const inputs = (name: string, value: unknown, ...words: string[]): BadCase =>
  bad(
    name,
    ['PUT', '/books/_doc/9', { go: value }],
    [400, 'document_parsing_exception', '[go] of type [completion]', ...words],
  );
const onShards = (name: string, query: unknown, ...words: string[]): BadCase =>
  bad(
    name,
    ['POST', '/books/_search', query],
    [400, 'search_phase_execution_exception', ...words],
    'query_shard_exception',
  );

export const SUGGEST_CASES: readonly BadCase[] = [
  search('suggest as a text', 'x', PARSING, '[suggest] must be an object', 'VALUE_STRING'),
  search('suggest with a lone option', { size: 3 }, ILLEGAL, '[suggest] does not support [size]'),
  search('suggestion as a list', { s: [] }, PARSING, 'unexpected token [START_ARRAY] after [s]'),
  search('suggestion of nothing', { s: { text: 'x' } }, PARSE, 'missing suggestion object'),
  search(
    'suggestion with an odd option',
    { s: { text: 'x', size: 3, term: { field: 'title' } } },
    PARSING,
    'suggestion does not support [size]',
  ),
  search(
    'unknown suggester',
    { s: { text: 'x', terms: { field: 'title' } } },
    PARSING,
    'unknown suggester [terms] did you mean [term]?',
  ),
  search(
    'two suggesters',
    { s: { text: 'x', term: { field: 'title' }, phrase: { field: 'title' } } },
    PARSING,
    '[s] has more than one suggester',
  ),
  search(
    'suggestion without text',
    { s: { term: { field: 'title' } } },
    ILLEGAL,
    'The required text option is missing',
  ),
  search('suggester as a text', { s: { text: 'x', term: [] } }, PARSING, 'must be an object'),
  search(
    'suggester without a field',
    { s: { text: 'x', term: { size: 3 } } },
    PARSE,
    'the required field option [field] is missing',
  ),
  term('field of no name', { field: '' }, ILLEGAL, 'suggestion field name is empty'),
  term('field that nobody mapped', { field: 'nope' }, ILLEGAL, 'no mapping found for field [nope]'),
  term('analyzer that is not there', { analyzer: 'nope' }, ILLEGAL, 'analyzer [nope]'),
  term('unknown option', { sizes: 3 }, PARSING, "suggester[term] doesn't support field [sizes]"),
  term('size of nothing', { size: 0 }, ILLEGAL, 'size must be positive, got [0]'),
  term('shard_size of nothing', { shard_size: -1 }, ILLEGAL, 'shard_size must be positive'),
  term('odd size', { size: 'many' }, ILLEGAL, '[size]', 'many'),
  term('odd mode', { suggest_mode: 'never' }, ILLEGAL, 'never', 'missing, popular, always'),
  term('odd sort', { sort: 'name' }, ILLEGAL, 'name', 'score, frequency'),
  term('odd distance', { string_distance: 'hamming' }, ILLEGAL, 'hamming', 'jaro_winkler'),
  term('accuracy beyond one', { accuracy: 2 }, ILLEGAL, '[accuracy] must be between 0 and 1'),
  term('three edits', { max_edits: 3 }, ILLEGAL, '[max_edits] must be 1 or 2, got [3]'),
  term('negative inspections', { max_inspections: -1 }, ILLEGAL, '[max_inspections]', '-1'),
  term('negative prefix', { prefix_length: -1 }, ILLEGAL, '[prefix_length]', '-1'),
  term(
    'words of no length',
    { min_word_length: 0 },
    ILLEGAL,
    '[min_word_length] must be at least 1',
  ),
  term(
    'negative frequency',
    { max_term_freq: -1 },
    ILLEGAL,
    '[max_term_freq] must not be negative',
  ),
  term('one and a half documents', { min_doc_freq: 1.5 }, ILLEGAL, '[min_doc_freq]', 'fraction'),
  search(
    'text of too many words',
    { s: { text: 'a '.repeat(1025), term: { field: 'title' } } },
    ILLEGAL,
    'up to 1024 words',
    '1025',
  ),
  phrase('collate', { collate: {} }, PARSING, '[collate] is not supported by this server'),
  phrase('phrase with an odd option', { gram: 2 }, PARSING, "doesn't support field [gram]"),
  phrase('runs of nothing', { gram_size: 0 }, ILLEGAL, 'gram_size must be positive'),
  phrase('negative confidence', { confidence: -1 }, ILLEGAL, '[confidence] must not be negative'),
  phrase('no errors', { max_errors: 0 }, ILLEGAL, '[max_errors] must be greater than 0'),
  phrase('likelihood of nothing', { real_word_error_likelihood: 0 }, ILLEGAL, 'greater than 0'),
  phrase('limit of no tokens', { token_limit: 0 }, ILLEGAL, 'token_limit must be positive'),
  phrase('one tag', { highlight: { pre_tag: '<' } }, ILLEGAL, 'Pre and post tag must both'),
  phrase('odd tags', { highlight: { tags: 1 } }, PARSING, "doesn't support field [tags]"),
  phrase('unknown smoothing', { smoothing: { x: {} } }, PARSING, 'unknown model [x]'),
  phrase('no smoothing', { smoothing: {} }, ILLEGAL, 'Missing smoothing model'),
  phrase(
    'two smoothings',
    { smoothing: { laplace: {}, stupid_backoff: {} } },
    ILLEGAL,
    'only one smoothing model supported',
  ),
  phrase('negative discount', { smoothing: { stupid_backoff: { discount: -1 } } }, ILLEGAL, '-1'),
  phrase('odd alpha', { smoothing: { laplace: { beta: 1 } } }, PARSING, '[beta]'),
  phrase(
    'lambdas beyond one',
    {
      smoothing: {
        linear_interpolation: { trigram_lambda: 0.5, bigram_lambda: 0.5, unigram_lambda: 0.5 },
      },
    },
    ILLEGAL,
    'lambdas must sum to 1',
  ),
  phrase('generators as an object', { direct_generator: {} }, PARSING, 'must be an array'),
  generator('generator of an unmapped field', { field: 'nope' }, ILLEGAL, 'field [nope]'),
  generator('pre_filter', { pre_filter: 'reverse' }, PARSING, '[pre_filter] is not supported'),
  generator('post_filter', { post_filter: 'reverse' }, PARSING, '[post_filter] is not supported'),
  generator('odd generator', { sise: 1 }, PARSING, "doesn't support field [sise]"),
  generator('generator of no size', { size: 0 }, ILLEGAL, 'size must be positive'),
  completion('completion of a text field', { field: 'title' }, ILLEGAL, 'not a completion suggest'),
  completion('completion of nothing', { field: 'nope' }, ILLEGAL, 'no mapping found for field'),
  completion(
    'completion with a bad option',
    { sort: 'x' },
    PARSING,
    "doesn't support field [sort]",
  ),
  completion('contexts', { contexts: {} }, PARSING, '[contexts] is not supported'),
  completion('regex options', { regex: {} }, PARSING, '[regex] is not supported'),
  search(
    'regex',
    { s: { regex: 'x.*', completion: { field: 'go' } } },
    PARSING,
    '[regex] is not supported',
  ),
  completion('too many completions', { size: 10_001 }, ILLEGAL, '[size] must be at most 10000'),
  completion('completion by no analyzer', { analyzer: 'nope' }, ILLEGAL, 'analyzer [nope]'),
  completion('fuzzy as a number', { fuzzy: 1 }, PARSING, 'must be an object or a boolean'),
  fuzzy('three edits of a completion', { fuzziness: 3 }, ILLEGAL, 'Invalid fuzziness value: 3'),
  fuzzy('edits that are none', { fuzziness: 'x' }, ILLEGAL, 'Invalid fuzziness value: x'),
  fuzzy('odd automatic edits', { fuzziness: 'AUTO:6,3' }, ILLEGAL, 'AUTO:6,3'),
  fuzzy('negative min_length', { min_length: -1 }, ILLEGAL, '[min_length]'),
  fuzzy('odd fuzzy option', { edits: 1 }, PARSING, "doesn't support field [edits]"),
  mapped('mapping with contexts', { contexts: [] }, '[contexts]', 'not supported'),
  mapped('mapping with an odd option', { store: true }, 'unknown parameter [store]'),
  mapped('inputs of no length', { max_input_length: 0 }, '[max_input_length] must be > 0'),
  mapped('mapping by no analyzer', { analyzer: 'nope' }, 'analyzer [nope]'),
  inputs('input as a number', 3, 'expected text or object, but got VALUE_NUMBER'),
  inputs('inputs with a number', ['a', 3], 'expected text or object, but got VALUE_NUMBER'),
  inputs('input of an object', { input: 3 }, 'input must be a string or array'),
  inputs('inputs of an object', { input: ['a', {}] }, 'input array must have string values'),
  inputs('input with an odd key', { inputs: 'a' }, 'unknown field name [inputs]'),
  inputs('input with contexts', { input: 'a', contexts: {} }, '[contexts] are not supported'),
  inputs('weight of half', { input: 'a', weight: 1.5 }, 'weight must be an integer'),
  inputs('weight as a word', { input: 'a', weight: 'x' }, 'weight must be an integer, but was [x]'),
  inputs('weight below zero', { input: 'a', weight: -1 }, 'weight must be in the interval'),
  inputs('weight as an object', { input: 'a', weight: {} }, 'weight must be a number or string'),
  inputs('input with a reserved sign', 'a\u001fb', 'Illegal input', '[0x1f] at position 1'),
  onShards('term on a completion', { query: { term: { go: 'a' } } }, '[completion]'),
  onShards('match on a completion', { query: { match: { go: 'a' } } }, '[completion]'),
  bad(
    'suggest_text without suggest_field',
    ['GET', '/books/_search?suggest_text=x'],
    [400, ILLEGAL, '[suggest_text] needs [suggest_field]'],
  ),
  bad(
    'suggest_field without a text',
    ['GET', '/books/_search?suggest_field=title'],
    [400, ILLEGAL, 'The required text option is missing'],
  ),
  bad(
    'suggest in a count',
    ['POST', '/books/_count', { suggest: { s: { text: 'x', term: { field: 'title' } } } }],
    [400, PARSING, '[suggest]'],
  ),
  bad('term vectors', ['GET', '/books/_termvectors/1'], [400, ILLEGAL, '_termvectors']),
];
