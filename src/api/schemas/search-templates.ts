// Schemas of search templates: searches by template, and stored templates.
import {
  anything,
  choice,
  document,
  exactly,
  flag,
  LINES,
  map,
  object,
  type RouteSchema,
  ref,
  text,
} from './kinds.js';

const TEMPLATE = exactly({
  'id?': text,
  'source?': anything,
  'params?': document,
  'explain?': flag,
  'profile?': flag,
});
const SCRIPT = exactly({ lang: choice('mustache'), source: anything, 'options?': map(text) });

export const TEMPLATES = {
  search: {
    id: 'search_template',
    summary: 'Runs a search that is rendered from a template and its parameters.',
    tag: 'search',
    body: TEMPLATE,
    bodyRequired: true,
    answers: { 200: ref('SearchAnswer') },
  },
  msearch: {
    id: 'msearch_template',
    summary:
      'Several searches by template at once: a line for the header, a line for the template, of each.',
    tag: 'search',
    body: LINES,
    bodyRequired: true,
    lines: true,
    answers: { 200: ref('MultiSearchAnswer') },
  },
  render: {
    id: 'render_search_template',
    summary: 'Renders a search template without running it.',
    tag: 'search',
    body: TEMPLATE,
    answers: { 200: object({ template_output: document }) },
  },
  put: {
    id: 'put_script',
    summary: 'Stores a search template.',
    tag: 'search',
    body: object({ script: SCRIPT }),
    bodyRequired: true,
    answers: { 200: object({ acknowledged: flag }) },
  },
  get: {
    id: 'get_script',
    summary: 'Returns a stored search template.',
    tag: 'search',
    answers: {
      200: object({ _id: text, found: flag, script: SCRIPT }),
      404: object({ _id: text, found: flag }),
    },
  },
  delete: {
    id: 'delete_script',
    summary: 'Deletes a stored search template.',
    tag: 'search',
    answers: { 200: object({ acknowledged: flag }) },
  },
} as const satisfies Record<string, RouteSchema>;
