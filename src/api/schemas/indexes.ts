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
    summary: 'Creates an index with settings, mappings and aliases.',
    tag: 'indexes',
    body: ref('NewIndex'),
    answers: { 200: object({ acknowledged: flag, shards_acknowledged: flag, index: text }) },
  },
  delete: {
    id: 'delete_index',
    summary: 'Deletes indexes with their documents.',
    tag: 'indexes',
    answers: acknowledged,
  },
  exists: {
    id: 'index_exists',
    summary: 'Checks whether an index or alias exists.',
    tag: 'indexes',
    answers: there,
  },
  get: {
    id: 'get_index',
    summary: 'Returns the aliases, mappings and settings of indexes.',
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
    summary: 'Closes indexes: they keep their files and answer no requests.',
    tag: 'indexes',
    answers: acknowledged,
  },
  analyze: {
    id: 'analyze',
    summary: 'Returns the tokens that an analyzer makes of a text.',
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
    summary: 'Returns the mappings of indexes.',
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
    summary: 'Returns the mappings of single fields.',
    tag: 'indexes',
    answers: { 200: map(object({ mappings: document })), 404: document },
  },
  getSettings: {
    id: 'get_settings',
    summary: 'Returns the settings of indexes.',
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
    summary: 'Removes a block that [add_block] set.',
    tag: 'indexes',
    answers: acknowledged,
  },
  updateAliases: {
    id: 'update_aliases',
    summary: 'Adds and removes aliases in one atomic step.',
    tag: 'indexes',
    body: object({ actions: list(document) }),
    bodyRequired: true,
    answers: acknowledged,
  },
  getAlias: {
    id: 'get_alias',
    summary: 'Returns aliases and the indexes behind them.',
    tag: 'indexes',
    answers: { 200: map(object({ aliases: map(document) })), 404: document },
  },
  aliasExists: {
    id: 'alias_exists',
    summary: 'Checks whether an alias exists.',
    tag: 'indexes',
    answers: there,
  },
  putAlias: {
    id: 'put_alias',
    summary: 'Adds an alias to indexes.',
    tag: 'indexes',
    body: document,
    answers: acknowledged,
  },
  deleteAlias: {
    id: 'delete_alias',
    summary: 'Removes an alias from indexes.',
    tag: 'indexes',
    answers: acknowledgedOrMissing,
  },
  refresh: {
    id: 'refresh',
    summary: 'Refreshes indexes: later searches see all earlier writes.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  flush: {
    id: 'flush',
    summary: 'Flushes indexes: writes what is in memory to disk.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  forceMerge: {
    id: 'forcemerge',
    summary: 'Merges the segments of indexes.',
    tag: 'indexes',
    answers: { 200: document },
  },
  clearCache: {
    id: 'clear_cache',
    summary: 'Clears the caches of indexes.',
    tag: 'indexes',
    answers: { 200: ref('ShardsAnswer') },
  },
  resolve: {
    id: 'resolve_index',
    summary: 'Returns the indexes and aliases that an expression matches.',
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
    summary: 'Creates a new index behind an alias if the conditions are met.',
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
    summary: 'Simulates an index template.',
    tag: 'indexes',
    body: document,
    answers: { 200: document },
  },
  simulateIndex: {
    id: 'simulate_index_template',
    summary: 'Simulates the templates that match the name of an index.',
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
