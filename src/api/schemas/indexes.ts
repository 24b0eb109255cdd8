// Schemas of the routes about indexes: the indexes, mappings, settings, aliases, templates and
// maintenance.
import {
  about,
  anything,
  document,
  flag,
  list,
  map,
  NOTHING,
  object,
  type RouteSchema,
  ref,
  text,
} from './kinds.js';

const acknowledged = { 200: ref('Acknowledged') };
const acknowledgedOrMissing = { 200: ref('Acknowledged'), 404: ref('Error') };
const there = { 200: NOTHING, 404: NOTHING };

export const INDEXES = {
  create: {
    id: 'create_index',
    summary: 'Creates an index.',
    tag: 'indexes',
    body: ref('NewIndex'),
    answers: { 200: object({ acknowledged: flag, shards_acknowledged: flag, index: text }) },
  },
  delete: {
    id: 'delete_index',
    summary: 'Deletes indexes with everything in them.',
    tag: 'indexes',
    answers: acknowledged,
  },
  exists: {
    id: 'index_exists',
    summary: 'Whether there is such an index or alias.',
    tag: 'indexes',
    answers: there,
  },
  get: {
    id: 'get_index',
    summary: 'Aliases, mappings and settings of indexes.',
    tag: 'indexes',
    answers: { 200: map(ref('Index')) },
  },
  open: {
    id: 'open_index',
    summary: 'Opens closed indexes.',
    tag: 'indexes',
    answers: acknowledged,
  },
  close: {
    id: 'close_index',
    summary: 'Closes indexes: they cost nothing and answer nothing.',
    tag: 'indexes',
    answers: acknowledged,
  },
  analyze: {
    id: 'analyze',
    summary: 'What an analyzer makes of a text.',
    tag: 'indexes',
    body: object({
      'analyzer?': text,
      'field?': text,
      'text?': about(
        anything,
        'One text or a list. Where a component makes more than 16,384 tokens and 32 for each byte of a text, more than ' +
          '1 MiB of characters and 1,024 for each byte, or takes as much work, the text is refused (400) by the ' +
          'name of the component, as it is in documents and queries.',
      ),
      'tokenizer?': anything,
      'filter?': list(anything),
      'char_filter?': list(anything),
    }),
    bodyRequired: true,
    answers: { 200: object({ 'tokens?': list(document), 'detail?': document }) },
  },
  getMapping: {
    id: 'get_mapping',
    summary: 'The mappings of indexes.',
    tag: 'indexes',
    answers: { 200: map(object({ mappings: document })) },
  },
  putMapping: {
    id: 'put_mapping',
    summary: 'Adds fields to the mappings of indexes.',
    tag: 'indexes',
    body: document,
    bodyRequired: true,
    answers: acknowledged,
  },
  getFieldMapping: {
    id: 'get_field_mapping',
    summary: 'The mapping of some fields.',
    tag: 'indexes',
    answers: { 200: map(object({ mappings: document })), 404: document },
  },
  getSettings: {
    id: 'get_settings',
    summary: 'The settings of indexes.',
    tag: 'indexes',
    answers: { 200: map(object({ settings: document })) },
  },
  putSettings: {
    id: 'put_settings',
    summary: 'Changes settings of indexes.',
    tag: 'indexes',
    body: document,
    bodyRequired: true,
    answers: acknowledged,
  },
  addBlock: {
    id: 'add_block',
    summary: 'Blocks indexes against [read], [write] or changes [read_only].',
    tag: 'indexes',
    answers: acknowledged,
  },
  removeBlock: {
    id: 'remove_block',
    summary: 'Lifts what [add_block] blocked.',
    tag: 'indexes',
    answers: acknowledged,
  },
  updateAliases: {
    id: 'update_aliases',
    summary: 'Adds and removes aliases, all of them at once or none.',
    tag: 'indexes',
    body: object({ actions: list(document) }),
    bodyRequired: true,
    answers: acknowledged,
  },
  getAlias: {
    id: 'get_alias',
    summary: 'Aliases and their indexes.',
    tag: 'indexes',
    answers: { 200: map(object({ aliases: map(document) })), 404: document },
  },
  aliasExists: {
    id: 'alias_exists',
    summary: 'Whether there is such an alias.',
    tag: 'indexes',
    answers: there,
  },
  putAlias: {
    id: 'put_alias',
    summary: 'Gives indexes another name.',
    tag: 'indexes',
    body: document,
    answers: acknowledged,
  },
  deleteAlias: {
    id: 'delete_alias',
    summary: 'Takes a name from indexes.',
    tag: 'indexes',
    answers: acknowledgedOrMissing,
  },
  refresh: {
    id: 'refresh',
    summary: 'Searches find everything that was written before.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  flush: {
    id: 'flush',
    summary: 'Writes what is in memory to disk.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  forceMerge: {
    id: 'forcemerge',
    summary: 'Merges segments.',
    tag: 'indexes',
    answers: { 200: document },
  },
  clearCache: {
    id: 'clear_cache',
    summary: 'Forgets kept answers.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  resolve: {
    id: 'resolve_index',
    summary: 'Which indexes and aliases an expression means.',
    tag: 'indexes',
    answers: {
      200: object({
        indices: list(document),
        aliases: list(document),
        data_streams: list(document),
      }),
    },
  },
  rollover: {
    id: 'rollover',
    summary: 'A new index behind an alias, when conditions are met.',
    tag: 'indexes',
    body: object({
      'conditions?': document,
      'settings?': document,
      'mappings?': document,
      'aliases?': document,
    }),
    answers: {
      200: object({
        acknowledged: flag,
        old_index: text,
        new_index: text,
        rolled_over: flag,
        dry_run: flag,
        conditions: document,
      }),
    },
  },
  simulateTemplate: {
    id: 'simulate_template',
    summary: 'What a template would make of an index.',
    tag: 'indexes',
    body: document,
    answers: { 200: document },
  },
  simulateIndex: {
    id: 'simulate_index_template',
    summary: 'What the templates would make of an index of this name.',
    tag: 'indexes',
    body: document,
    answers: { 200: document },
  },
} as const satisfies Record<string, RouteSchema>;

export type TemplateKind = 'index_template' | 'component_template' | 'template';

/** Schemas of the routes of one kind of template. */
export function templateSchemas(kind: TemplateKind): {
  readonly [K in 'put' | 'get' | 'exists' | 'delete']: RouteSchema;
} {
  const what = kind.replace('_', ' ');
  return {
    put: {
      id: `put_${kind}`,
      summary: `Stores a ${what}, whose name patterns make indexes.`,
      tag: 'indexes',
      ...(kind === 'template' ? { params: { order: { type: 'integer' } } } : {}),
      body: document,
      bodyRequired: true,
      answers: acknowledged,
    },
    get: {
      id: `get_${kind}`,
      summary: `Stored ${what}s.`,
      tag: 'indexes',
      answers: { 200: document, 404: { anyOf: [document, ref('Error')] } },
    },
    exists: {
      id: `${kind}_exists`,
      summary: `Whether there is such a ${what}.`,
      tag: 'indexes',
      answers: there,
    },
    delete: {
      id: `delete_${kind}`,
      summary: `Deletes ${what}s.`,
      tag: 'indexes',
      answers: acknowledgedOrMissing,
    },
  };
}
