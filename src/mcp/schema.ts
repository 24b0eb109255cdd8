// Helpers to write JSON schemas of tools. Objects permit further members and never hold null,
// because strict clients would otherwise reject the results.

export interface Schema {
  readonly [keyword: string]: unknown;
}

export const text = (description: string): Schema => ({ type: 'string', description });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const number = (description: string): Schema => ({ type: 'number', description });
export const share = (description: string): Schema => ({
  type: 'number',
  minimum: 0,
  maximum: 1,
  description,
});
export const whole = (minimum: number, maximum: number, description: string): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
export const anObject = (description: string): Schema => ({ type: 'object', description });
export const list = (items: Schema, description: string): Schema => ({
  type: 'array',
  items,
  description,
});
export const choice = (values: readonly string[], description: string): Schema => ({
  type: 'string',
  enum: values,
  description,
});

/** Members whose name does not end in `?` are required. */
export function object(members: Readonly<Record<string, Schema>>, description?: string): Schema {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

export const MOMENT: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  description: 'Epoch milliseconds or RFC 3339.',
};
