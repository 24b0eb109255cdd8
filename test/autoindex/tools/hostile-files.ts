// Hostile and broken files, and one intact file.
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { zipOf } from './files.ts';

export const GOOD = 'The lighthouse keeper counted ships until the fog came in from the sea.';
/** Exceeds the limit of a line, an element or a row. */
const ENDLESS = Buffer.alloc(17 << 20, 'a');

/** Data compressed with gzip `times` times. */
function nested(times: number): Buffer {
  let packed = gzipSync(GOOD);
  for (let i = 1; i < times; i++) packed = gzipSync(packed);
  return packed;
}

/** A zip whose only entry has an invalid name with the same length as the valid one. */
async function renamed(from: string, to: string): Promise<Buffer> {
  const zip = Buffer.from(await zipOf({ [from]: GOOD })).toString('latin1');
  return Buffer.from(zip.replaceAll(from, to), 'latin1');
}

/** A zip that declares more entries than it has. */
async function crowded(): Promise<Buffer> {
  const zip = Buffer.from(await zipOf({ 'a.txt': GOOD }));
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  zip.writeUInt16LE(20_001, end + 8);
  zip.writeUInt16LE(20_001, end + 10);
  return zip;
}

export async function putHostileFiles(
  put: (path: string, content: string | Uint8Array) => void,
): Promise<void> {
  put('good.txt', GOOD);
  put('bombs/words.gz', gzipSync(Buffer.alloc(20 << 20, 'word ')));
  put('bombs/words.zip', await zipOf({ 'words.txt': Buffer.alloc(20 << 20, 'word ') }));
  put('bombs/many.zip', await crowded());
  put('nested/twice.gz', nested(2));
  put('nested/in.zip', await zipOf({ 'inner.zip': await zipOf({ 'a.txt': GOOD }) }));
  put('climbs/up.zip', await renamed('aa/aa/aa/etc/climbs.txt', '../../../etc/climbs.txt'));
  put('climbs/root.zip', await renamed('aetc/climbs.txt', '/etc/climbs.txt'));
  put('cut/cut.gz', gzipSync(Buffer.from(GOOD.repeat(500))).subarray(0, 60));
  put('cut/cut.zip', (await zipOf({ 'a.txt': GOOD })).subarray(0, 70));
  put('endless/line.jsonl', Buffer.concat([Buffer.from('{"a":1}\n{"a":2}\n{"a":"'), ENDLESS]));
  put('endless/list.json', Buffer.concat([Buffer.from('[{"a":1},{"a":"'), ENDLESS]));
  put('endless/cell.csv', Buffer.concat([Buffer.from('id,name\n1,x\n2,y\n3,"'), ENDLESS]));
  put(
    'endless/entry.log',
    Buffer.concat([
      Buffer.from(
        '2026-01-02T10:00:00Z INFO a\n2026-01-02T10:00:00Z INFO b\n2026-01-02T10:00:01Z INFO ',
      ),
      ENDLESS,
    ]),
  );
  put('endless/word.txt', ENDLESS.subarray(0, 1 << 20));
  put('deep/array.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  put('deep/object.jsonl', `{"a":1}\n${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}\n`);
  put(
    'deep/elements.xml',
    `<?xml version="1.0"?><a>${'<b>'.repeat(5000)}${'</b>'.repeat(5000)}</a>`,
  );
  put('deep/tags.html', `<!doctype html><title>deep</title>${'<div>'.repeat(100_000)}end`);
  put('deep/quotes.md', `# Deep\n\n${'> '.repeat(50_000)}end **a** [b](c)\n`);
  put(
    'entities/laughs.xml',
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">${'bcdefghi'.replace(/./g, (l) => `<!ENTITY ${l} "${`&${String.fromCharCode(l.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><x><y>&i;</y></x>`,
  );
  put(
    'entities/file.xml',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY p SYSTEM "file:///etc/passwd">]><x><y>&p;</y></x>',
  );
  put(
    'entities/laughs.yaml',
    `a: &a [ha, ha, ha]\n${'bcdefghi'.replace(/./g, (l) => `${l}: &${l} [${`*${String.fromCharCode(l.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
  );
  put(
    'wrong/latin.txt',
    Buffer.from('Les élèves étaient déjà là, à côté de la forêt.\n', 'latin1'),
  );
  put('wrong/utf16.csv', Buffer.from('\ufeffname;age\nÅsa;31\nJosé;44\n', 'utf16le'));
  put(
    'wrong/late.txt',
    Buffer.concat([Buffer.from(`${GOOD}\n`.repeat(1500)), Buffer.from('caf\xe9', 'latin1')]),
  );
  put('wrong/named.json', Buffer.from('ffd8ffe000104a464946', 'hex'));
  put('wrong/noise.csv', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)));
  put(
    'names/__proto__.jsonl',
    '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}},"toString":"z"}\n{"toString":"w"}\n',
  );
  put('names/new\nline\u202e.txt', GOOD);
}
