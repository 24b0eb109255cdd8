// Parts of the requests by which applications make their indexes.

export const keyword = (length: number): object => ({ type: 'keyword', ignore_above: length });
export const KEYWORD = { type: 'keyword' };
export const TEXT = { type: 'text' };
export const LONG = { type: 'long' };
export const DATE = { type: 'date' };

export const chain = (tokenizer: string, ...filter: readonly string[]): object => ({
  type: 'custom',
  tokenizer,
  filter,
});

export function index(analysis: object, properties: object, more: object = {}): object {
  return { settings: { analysis, ...more }, mappings: { properties } };
}

/** A legacy template and an index that it fits. */
export const template = (body: object): object => ({
  template: { index_patterns: ['app-*'], ...body },
});
export const composable = (body: object): object => ({
  composable: { index_patterns: 'app-*', priority: 500, template: body },
});
