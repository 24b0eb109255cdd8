// Errors of inference endpoints. `known` is registered, `svc-lex-1` is built in; the list of
// allowed hosts is empty.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const VALIDATION = 'action_request_validation_exception';
const SECRET = 'sk-do-not-repeat-me';
const URL = 'http://localhost:1/v1';
const NEW = '/_inference/new';

const openAi = (settings: object) => ({
  service: 'openai',
  service_settings: { url: URL, model_id: 'm', ...settings },
});

const MAPPING = 'mapper_parsing_exception';

/** An index whose field `t` has this mapping. */
const mapped = (field: object) =>
  [
    'PUT',
    '/refused',
    { mappings: { properties: { t: { type: 'semantic_text', ...field } } } },
  ] as const;
const endpoint = (more: object) => mapped({ inference_endpoint: { url: URL, ...more } });

/** Invalid mappings with an embedder; no index is created. */
export const MAPPING_CASES: readonly BadCase[] = [
  bad('an unknown id', mapped({ inference_id: 'nobody' }), [
    400,
    MAPPING,
    '[t.inference_id] names [nobody]',
    'known are [svc-lex-1, svc-lex-2, known]',
    'PUT /_inference/{id}',
  ]),
  bad('an id that is a number', mapped({ inference_id: 1 }), [
    400,
    MAPPING,
    '[t.inference_id] must be a string',
  ]),
  bad('an id that is null', mapped({ inference_id: null }), [
    400,
    MAPPING,
    '[t.inference_id] must be a string',
  ]),
  bad(
    'two names of the model',
    mapped({ inference_id: 'known', inference_endpoint: { url: URL, model: 'other' } }),
    [400, MAPPING, 'both name the model'],
  ),
  bad('an endpoint that is a number', mapped({ inference_endpoint: 5 }), [
    400,
    MAPPING,
    '[t.inference_endpoint] must be an object, got a number',
  ]),
  bad('an endpoint without a URL', mapped({ inference_endpoint: {} }), [
    400,
    MAPPING,
    '[t.inference_endpoint.url] is missing',
  ]),
  bad('an endpoint beyond this machine', endpoint({ url: 'https://api.openai.com/v1' }), [
    400,
    MAPPING,
    '[t.inference_endpoint.url] leads to host [api.openai.com]',
    'inference.allowed_hosts',
  ]),
  bad('an endpoint of cloud secrets', endpoint({ url: 'http://169.254.169.254/' }), [
    400,
    MAPPING,
    'host [169.254.169.254]',
  ]),
  bad('an endpoint that is a file', endpoint({ url: 'file:///etc/passwd' }), [
    400,
    MAPPING,
    'scheme [file]',
  ]),
  bad('an endpoint with a key', endpoint({ api_key: SECRET }), [
    400,
    MAPPING,
    '[t.inference_endpoint.api_key] is refused',
  ]),
  bad('an endpoint with a key for a variable', endpoint({ api_key_env: SECRET }), [
    400,
    MAPPING,
    'name of an environment variable',
  ]),
  bad('an endpoint with a password', endpoint({ url: `http://a:${SECRET}@localhost/` }), [
    400,
    MAPPING,
    'user name or password',
  ]),
  bad('an endpoint with more', endpoint({ timeout: 3 }), [
    400,
    MAPPING,
    'unknown setting [t.inference_endpoint.timeout]',
  ]),
  bad('an endpoint with dims of 0', endpoint({ dims: 0 }), [
    400,
    MAPPING,
    '[t.inference_endpoint.dims]',
  ]),
  bad('other dims than the endpoint', mapped({ inference_id: 'known', dims: 4 }), [
    400,
    MAPPING,
    '[t.dims] is [4]',
    'vectors of [3]',
  ]),
  bad(
    'another embedder than the endpoint',
    mapped({ inference_id: 'known', embedder: 'e5@elsewhere' }),
    [400, MAPPING, '[t.embedder] is [e5@elsewhere]', 'leave [embedder] out'],
  ),
  bad(
    'an unknown id in a multi-field',
    [
      'PUT',
      '/refused',
      {
        mappings: {
          properties: {
            a: { type: 'text', fields: { t: { type: 'semantic_text', inference_id: 'nobody' } } },
          },
        },
      },
    ],
    [400, MAPPING, '[a.t.inference_id] names [nobody]'],
  ),
  bad(
    'an unknown id in a dynamic template',
    [
      'PUT',
      '/refused',
      {
        mappings: {
          dynamic_templates: [
            { all: { mapping: { type: 'semantic_text', inference_id: 'nobody' } } },
          ],
        },
      },
    ],
    [400, MAPPING, '[dynamic_templates.all.inference_id]'],
  ),
  bad(
    'an unknown id in a new field',
    [
      'PUT',
      '/books/_mapping',
      { properties: { t: { type: 'semantic_text', inference_id: 'nobody' } } },
    ],
    [400, MAPPING, 'names [nobody]'],
  ),
];

export const INFERENCE_CASES: readonly BadCase[] = [
  bad('no body', ['PUT', NEW], [400, 'parse_exception', 'request body is required']),
  bad('a body that is no object', ['PUT', NEW, []], [400, 'parsing_exception', 'JSON object']),
  bad('a body that is no JSON', ['PUT', NEW, '{'], [400, 'x_content_parse_exception']),
  bad('an empty body', ['PUT', NEW, {}], [400, VALIDATION, '[service] is missing']),
  bad(
    'an unknown service',
    ['PUT', NEW, { service: 'watsonxai' }],
    [400, ILLEGAL, 'Unknown service [watsonxai]'],
  ),
  bad(
    'no model',
    ['PUT', NEW, { service: 'openai' }],
    [400, VALIDATION, '[service_settings.model_id] is missing'],
  ),
  bad(
    'a key',
    ['PUT', NEW, openAi({ api_key: SECRET })],
    [400, ILLEGAL, '[service_settings.api_key] is refused', 'api_key_env'],
  ),
  bad(
    'a key in the short form',
    ['PUT', NEW, { url: URL, api_key: SECRET }],
    [400, ILLEGAL, '[api_key] is refused'],
  ),
  bad(
    'a key as the name of a variable',
    ['PUT', NEW, openAi({ api_key_env: SECRET })],
    [400, ILLEGAL, 'name of an environment variable'],
  ),
  bad(
    'a key in the URL',
    ['PUT', NEW, { url: `${URL}?key=${SECRET}` }],
    [400, ILLEGAL, 'looks like a secret'],
  ),
  bad(
    'a password in the URL',
    ['PUT', NEW, { url: `http://me:${SECRET}@localhost/` }],
    [400, ILLEGAL, 'user name or password'],
  ),
  bad(
    'an unknown setting',
    ['PUT', NEW, openAi({ token: SECRET })],
    [400, ILLEGAL, 'unknown setting [service_settings.token]'],
  ),
  bad('a URL that is none', ['PUT', NEW, { url: 'localhost' }], [400, ILLEGAL, 'is not a URL']),
  bad(
    'a URL of a file',
    ['PUT', NEW, { url: 'file:///etc/passwd' }],
    [400, ILLEGAL, 'scheme [file]'],
  ),
  bad(
    'a host beyond this machine',
    ['PUT', NEW, { url: 'https://api.openai.com/v1' }],
    [400, ILLEGAL, 'host [api.openai.com]', 'inference.allowed_hosts'],
  ),
  bad(
    'an address beyond this machine',
    ['PUT', NEW, { url: 'http://10.0.0.1/' }],
    [400, ILLEGAL, 'host [10.0.0.1]'],
  ),
  bad(
    'the address of cloud secrets',
    ['PUT', NEW, { url: 'http://169.254.169.254/latest' }],
    [400, ILLEGAL, 'host [169.254.169.254]'],
  ),
  bad(
    'an address in disguise',
    ['PUT', NEW, { url: 'http://[::ffff:a9fe:a9fe]/' }],
    [400, ILLEGAL, 'which the configuration does not allow'],
  ),
  bad(
    'the default of openai',
    ['PUT', NEW, { service: 'openai', service_settings: { model_id: 'm' } }],
    [400, ILLEGAL, 'api.openai.com'],
  ),
  bad(
    'dims of 0',
    ['PUT', NEW, { url: URL, dims: 0 }],
    [400, ILLEGAL, '[dims]', 'between 1 and 4096'],
  ),
  bad('dims of 5000', ['PUT', NEW, { url: URL, dims: 5000 }], [400, ILLEGAL, 'got [5000]']),
  bad(
    'another similarity',
    ['PUT', NEW, openAi({ similarity: 'l2_norm' })],
    [400, ILLEGAL, 'must be [cosine]'],
  ),
  bad(
    'a rate of nothing',
    ['PUT', NEW, openAi({ rate_limit: { requests_per_minute: 0 } })],
    [400, ILLEGAL, 'requests_per_minute'],
  ),
  bad(
    'own chunks',
    ['PUT', NEW, { ...openAi({}), chunking_settings: { strategy: 'word' } }],
    [400, ILLEGAL, '[chunking_settings] is not supported'],
  ),
  bad(
    'a name in capitals',
    ['PUT', '/_inference/New', { url: URL }],
    [400, ILLEGAL, 'Invalid inference_id; [New]'],
  ),
  bad(
    'a name that is a list',
    ['PUT', '/_inference/_all', { url: URL }],
    [400, ILLEGAL, 'Invalid inference_id'],
  ),
  bad(
    'a task type for a name',
    ['PUT', '/_inference/rerank', { url: URL }],
    [400, ILLEGAL, '[rerank] is a task type'],
  ),
  bad(
    'another task type',
    ['PUT', '/_inference/completion/new', { url: URL }],
    [400, ILLEGAL, 'task type [completion] is not supported'],
  ),
  bad(
    'no task type',
    ['PUT', '/_inference/what/new', { url: URL }],
    [400, ILLEGAL, 'task type [what] is unknown'],
  ),
  bad(
    'a name that is taken',
    ['PUT', '/_inference/known', { url: URL }],
    [400, 'resource_already_exists_exception', 'Inference endpoint [known] already exists'],
  ),
  bad(
    'the name of the built-in one',
    ['PUT', '/_inference/svc-lex-1', { url: URL }],
    [400, 'resource_already_exists_exception'],
  ),
  bad(
    'an unknown parameter',
    ['PUT', `${NEW}?tiemout=1s`, { url: URL }],
    [400, ILLEGAL, 'tiemout'],
  ),
  bad(
    'a change of what is not there',
    ['PUT', '/_inference/nobody/_update', {}],
    [404, 'resource_not_found_exception', 'Inference endpoint not found [nobody]'],
  ),
  bad(
    'a change to another service',
    ['PUT', '/_inference/known/_update', { service: 'quarry' }],
    [400, ILLEGAL, '[service] is [openai]'],
  ),
  bad(
    'a change of the built-in one',
    ['PUT', '/_inference/svc-lex-1/_update', {}],
    [400, ILLEGAL, 'cannot change'],
  ),
  bad(
    'reading what is not there',
    ['GET', '/_inference/nobody'],
    [404, 'resource_not_found_exception'],
  ),
  bad(
    'reading another task type',
    ['GET', '/_inference/completion/known'],
    [400, ILLEGAL, 'not supported'],
  ),
  bad(
    'reading an embedder as a reranker',
    ['GET', '/_inference/rerank/known'],
    [404, 'resource_not_found_exception', '[rerank]'],
  ),
  bad(
    'dropping what is not there',
    ['DELETE', '/_inference/nobody'],
    [404, 'resource_not_found_exception'],
  ),
  bad(
    'dropping the built-in one',
    ['DELETE', '/_inference/svc-lex-1?force=true'],
    [400, ILLEGAL, 'cannot be deleted'],
  ),
  bad('dropping by half', ['DELETE', '/_inference/known?force=perhaps'], [400, ILLEGAL, '[force]']),
  bad(
    'asking what is not there',
    ['POST', '/_inference/nobody', { input: 'a' }],
    [404, 'resource_not_found_exception'],
  ),
  bad(
    'asking nothing',
    ['POST', '/_inference/known', {}],
    [400, VALIDATION, '[input] cannot be null'],
  ),
  bad(
    'asking for no texts',
    ['POST', '/_inference/known', { input: [] }],
    [400, VALIDATION, 'empty array'],
  ),
  bad(
    'asking for an empty text',
    ['POST', '/_inference/known', { input: [''] }],
    [400, VALIDATION, 'empty string'],
  ),
  bad(
    'asking for a number',
    ['POST', '/_inference/known', { input: 3 }],
    [400, ILLEGAL, '[input] must be a string'],
  ),
  bad(
    'asking with more',
    ['POST', '/_inference/known', { input: 'a', query: 'b' }],
    [400, ILLEGAL, 'unknown setting [query]'],
  ),
  bad(
    'asking without time',
    ['POST', '/_inference/known?timeout=0', { input: 'a' }],
    [400, ILLEGAL, '[timeout]'],
  ),
  bad(
    'asking for a while',
    ['POST', '/_inference/known?timeout=soon', { input: 'a' }],
    [400, ILLEGAL, '[timeout]'],
  ),
  bad('another method', ['POST', '/_inference'], [405, ILLEGAL, 'Incorrect HTTP method']),
];
