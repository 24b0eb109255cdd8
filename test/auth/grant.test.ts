// The rights of a key: names that its patterns match, but no internal indexes of the service.
import { describe, expect, test } from 'vitest';
import { grantOf } from '../../src/auth/grant.ts';
import type { KeyRecord } from '../../src/auth/key-record.ts';

const STATE = ['.svc-namespaces', '.svc-brains', '.svc-intents', '.svc-expiries', '.svc-forgotten'];

function grantFor(...indices: string[]) {
  const record = { id: 'i', name: 'n', privileges: ['read', 'write', 'manage'], indices };
  return grantOf(record as unknown as KeyRecord, () => {});
}

describe('a key for some indexes', () => {
  test.each([
    ['.svc-*'],
    ['.*'],
    ['*-*'],
    ['?svc-*'],
    ['.svc-namespaces'],
    ['.svc-brains,.svc-intents,.svc-expiries,.svc-namespaces'],
  ])('for [%s] may not use state of the service', (patterns) => {
    const { access, all } = grantFor(...patterns.split(','));
    expect(all).toBe(false);
    for (const index of STATE) {
      expect(access.allows(index)).toBe(false);
      const { type, message } = access.refusal(index);
      expect(type).toBe('security_exception');
      expect(message).toContain(`on indices [${index}], which holds state of the service`);
    }
  });

  test('may use what its patterns match otherwise', () => {
    const { access } = grantFor('.svc-*');
    for (const index of ['.svc-catalog', '.svc-memory-a', '.svc-memory-a-edges', '.svc-intents2']) {
      expect(access.allows(index)).toBe(true);
    }
    expect(access.allows('a')).toBe(false);
    expect(access.refusal('a').message).toContain('this key is granted indices [.svc-*]');
  });
});
