// Search templates and stored scripts, which this server does not have: refused by name on every route, so that nobody
// takes the refusal for a wrong address.
import { QuarryError } from '../errors.js';
import type { Answer, Route } from './routes.js';
import { UNSUPPORTED } from './schemas/kinds.js';

const TEMPLATE_PATHS = [
  '/_search/template',
  '/:index/_search/template',
  '/_msearch/template',
  '/:index/_msearch/template',
  '/_render/template',
  '/_render/template/:id',
];
const SCRIPT_PATHS = ['/_scripts/:id', '/_scripts/:id/:context'];

export function templateRoutes(): readonly Route[] {
  return [
    {
      schema: UNSUPPORTED,
      methods: ['GET', 'POST'],
      paths: TEMPLATE_PATHS,
      params: [],
      anyParams: true,
      ndjson: true,
      handler: () => refuse('search templates', 'send the search that the template makes'),
    },
    {
      schema: UNSUPPORTED,
      methods: ['GET', 'PUT', 'POST', 'DELETE'],
      paths: SCRIPT_PATHS,
      params: [],
      anyParams: true,
      handler: () => refuse('stored scripts', 'send the script with the request'),
    },
  ];
}

function refuse(what: string, instead: string): Answer {
  throw new QuarryError(
    'illegal_argument_exception',
    `${what} are not supported by this server, ${instead}`,
  );
}
