// File kinds are determined by content and never by name.
import { describe, expect, test } from 'vitest';
import { sniffHead } from '../../src/autoindex/sniff.ts';

const kinds: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['an object', '{"a": 1,\n "b": [2]}', 'json'],
  ['a list', '[{"a": 1}, {"a": 2}]', 'json'],
  ['lines of objects', '{"a":1}\n{"a":2}\n', 'ndjson'],
  ['commas', 'name,age\nann,31\nbob,44\n', 'csv'],
  ['semicolons', 'name;age;town\nann;31;"a; b"\nbob;44;rome\n', 'csv'],
  ['tabs', 'name\tage\nann\t31\n', 'csv'],
  ['a log', '2026-01-02T10:00:00Z INFO up\n2026-01-02T10:00:01Z ERROR down\n', 'log'],
  ['front matter', '---\ntitle: x\n---\nText.\n', 'markdown'],
  ['headings', '# One\n\nText.\n\n## Two\n', 'markdown'],
  ['a page', '<!doctype html><title>x</title>', 'html'],
  ['xml', '<?xml version="1.0"?><a><b/></a>', 'xml'],
  ['yaml', 'name: x\nlist:\n  - a\n  - b\n', 'yaml'],
  [
    'a message',
    'From: a@b.c\nTo: d@e.f\nSubject: hi\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n\nHi',
    'email',
  ],
  ['a mailbox', 'From a@b.c Mon Jan  5 10:00:00 2026\nFrom: a@b.c\n\nHi\n', 'mbox'],
  ['a script', '#!/bin/sh\necho hi\n', 'code'],
  ['sentences', 'It was late, and they left.\nNobody spoke, not even Ann.\n', 'text'],
  ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), 'gzip'],
  ['zip', new Uint8Array([0x50, 0x4b, 3, 4]), 'zip'],
  ['a PDF', '%PDF-1.7\n', 'pdf'],
];

describe('sniff', () => {
  test.each(kinds)('%s', (_, content, format) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    expect(sniffHead(bytes, 'misleading.jpg')).toMatchObject({ format });
  });

  test.each([
    [Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'an image'],
    [Buffer.from('<?xml version="1.0"?><!-- x --><svg xmlns="y"></svg>'), 'an image'],
    [Buffer.from('7f454c4602010100', 'hex'), 'a program'],
    [Buffer.from('00000020667479706d703432', 'hex'), 'audio or video'],
  ])('what has nothing to read says what it is', (bytes, reason) => {
    expect(sniffHead(bytes, 'notes.txt')).toBe(reason);
  });

  test('what is known and not read says so', () => {
    const old = Buffer.from('d0cf11e0a1b11ae10000', 'hex');
    expect(sniffHead(old, 'a.doc')).toMatch(/before 2007, or one with a password/);
  });

  test('encodings', () => {
    expect(sniffHead(Buffer.from('caf\xe9 au lait', 'latin1'), 'a')).toMatchObject({
      encoding: 'windows-1252',
    });
    expect(sniffHead(Buffer.from('plain words', 'utf16le'), 'a')).toMatchObject({
      encoding: 'utf-16le',
    });
    expect(sniffHead(new Uint8Array([0, 1, 2, 3, 0, 0, 9]), 'a.txt')).toMatch(/binary/);
  });
});
