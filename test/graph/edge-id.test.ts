// The bytes that are hashed to the id of a link.
import { expect, test } from 'vitest';
import { edgeId } from '../../src/graph/edge-id.ts';
import { loadAddon } from '../../src/native/addon.ts';

test('hashes the statement with its parts apart', () => {
  const hashed: string[] = [];
  const id = edgeId(
    (bytes) => {
      hashed.push(Buffer.from(bytes).toString('utf8'));
      return Uint8Array.from([0, 1, 0xff]);
    },
    { src: 'ä', type: 't', dst: 'c', validAt: -5 },
  );
  expect(hashed).toEqual(['xg1\0ä\0t\0c\0-5']);
  expect(id).toBe('0001ff');
});

test('has the documented value', () => {
  const addon = loadAddon();
  const statement = {
    src: 'note-alpha',
    type: 'wikilink',
    dst: 'note-beta',
    validAt: 1753600000000,
  };
  const id = edgeId((bytes) => new Uint8Array(addon.hash128(bytes)), statement);
  expect(id).toBe('bef814a75bd3d914c3e561f610154304');
});
