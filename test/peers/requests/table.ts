// Converts rows of aggregations to request bodies.

const one = (type: string, body: object, aggs?: object): object => ({
  a: aggs === undefined ? { [type]: body } : { [type]: body, aggs },
});
export const table = (
  rows: readonly (readonly [string, string, object, object?])[],
): Record<string, object> =>
  Object.fromEntries(rows.map(([name, type, body, aggs]) => [name, one(type, body, aggs)]));
