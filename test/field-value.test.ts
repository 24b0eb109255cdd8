// Trimming of header field values: spaces and tabs, and nothing else.
import { expect, test } from 'vitest';
import { checkContentType } from '../src/api/kit/media-types.ts';
import { trimFieldValue } from '../src/base/field-value.ts';
import { readHead } from '../src/http/transports/raw-head.ts';

const OTHERS = ['\u00a0', '\u000b', '\u000c', '\u0085', '\ufeff', '\u2003', '\r', '\n'];

test('blanks and tabs around a value are taken away', () => {
  expect(trimFieldValue(' \t a b\t ')).toBe('a b');
  expect(trimFieldValue(' \t')).toBe('');
});
test.each(OTHERS)('%j is of the value', (space) => {
  expect(trimFieldValue(` ${space}a${space}\t`)).toBe(`${space}a${space}`);
  expect(() => checkContentType(`application/json${space}`, false)).toThrow('is not supported');
});
test('a plain head keeps a no-break space at the end of a value', () => {
  const lines = 'GET /_search HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey abc\u00a0 \t';
  const head = readHead(Buffer.from(`${lines}\r\n\r\n`, 'latin1'), lines.length);
  expect(head?.headers.authorization).toBe('ApiKey abc\u00a0');
});
