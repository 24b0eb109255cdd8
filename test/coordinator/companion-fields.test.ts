// The companion fields of semantic_text fields in mappings: printed with their dims, and parsed
// again.
import { describe, expect, test } from 'vitest';
import {
  withCompanions,
  withoutCompanions,
} from '../../src/coordinator/catalog/companion-fields.ts';

const BODY = { type: 'semantic_text', embedder: 'svc-lex-1', dims: 64 };
const VECTOR = { type: 'dense_vector', dims: 64, index: true, similarity: 'cosine' };

describe('companions', () => {
  test('are shown behind their fields, at every depth', () => {
    const shown = withCompanions({
      properties: {
        body: BODY,
        n: { type: 'long' },
        title: { type: 'text', fields: { meaning: BODY } },
        inner: { properties: { body: BODY } },
      },
    });
    expect(shown).toEqual({
      properties: {
        body: BODY,
        body_vector: VECTOR,
        n: { type: 'long' },
        title: { type: 'text', fields: { meaning: BODY, meaning_vector: VECTOR } },
        inner: { properties: { body: BODY, body_vector: VECTOR } },
      },
    });
    expect(withoutCompanions(shown)).toEqual({
      properties: {
        body: BODY,
        n: { type: 'long' },
        title: { type: 'text', fields: { meaning: BODY } },
        inner: { properties: { body: BODY } },
      },
    });
  });

  test('have no dims while nobody knows them', () => {
    const { properties } = withCompanions({
      properties: { t: { type: 'semantic_text', embedder: 'm@u', inference_id: 'mine' } },
    }) as { properties: Record<string, object> };
    expect(properties['t_vector']).not.toHaveProperty('dims');
  });

  test('mappings without any are the same objects', () => {
    const mappings = { properties: { t: { type: 'text' } } };
    expect(withCompanions(mappings)).toBe(mappings);
    expect(withoutCompanions(mappings)).toBe(mappings);
  });

  test.each([
    [{ ...VECTOR, dims: 65 }],
    [{ ...VECTOR, similarity: 'l2_norm' }],
    [{ type: 'keyword' }],
  ])('that would be other fields stay, and are refused by the engine: %j', (field) => {
    const mappings = { properties: { body: BODY, body_vector: field } };
    expect(withoutCompanions(mappings)).toBe(mappings);
  });
});
