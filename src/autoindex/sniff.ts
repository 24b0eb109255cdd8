// Detects the format of a file by its first bytes. The name is used only for the language of source
// code.
import { csvDialect, type Dialect } from './dialect.js';
import { languageOf } from './languages.js';

export const FORMATS = [
  'json',
  'ndjson',
  'csv',
  'log',
  'markdown',
  'html',
  'text',
  'code',
  'xml',
  'yaml',
  'email',
  'mbox',
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'epub',
  'zip',
  'gzip',
  'tar',
  'sqlite',
  'parquet',
] as const;
export type Format = (typeof FORMATS)[number];

export interface SniffResult {
  readonly format: Format;
  /** Encoding label for TextDecoder; relevant for text formats. */
  readonly encoding: string;
  /** For csv. */
  readonly dialect?: Dialect;
  /** For code. */
  readonly language?: string;
  /** Name of the table to read, for formats with several tables. */
  readonly table?: string;
}

/** Enough for a few rows of any format. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Magic bytes of compound files, the old Office format and the container of encrypted Office
 * documents.
 */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The format of a file by its head; a string gives the reason why it cannot be read. */
export function sniffHead(head: Uint8Array, path: string): SniffResult | string {
  const binary = byMagic(head);
  if (binary !== undefined) return { format: binary, encoding: 'utf-8' };
  if (Buffer.from(head.subarray(0, 8)).equals(COMPOUND)) {
    return 'an Office document of before 2007, or one with a password';
  }
  const encoding = encodingOf(head);
  if (encoding === undefined) return kindOfBinary(head);
  const cut = new TextDecoder(encoding).decode(head);
  // A truncated head ends with an incomplete line, which is dropped.
  const text =
    head.length < HEAD_BYTES ? cut : cut.slice(0, cut.lastIndexOf('\n') + 1 || cut.length);
  if (SVG.test(text)) {
    return 'an image';
  }
  return { encoding, ...byText(text, path, head.length < HEAD_BYTES) };
}

/**
 * An svg element after a declaration, comments and a document type. A comment ends at the first
 * `-->`, so that matching is unambiguous and linear.
 */
const SVG = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!(?:--(?:[^-]|-(?!->))*--|DOCTYPE[^>]*)>\s*)*<svg[\s>]/i;

function byMagic(head: Uint8Array): Format | undefined {
  const latin = Buffer.from(head.subarray(0, 512)).toString('latin1');
  if (latin.startsWith('\x1f\x8b')) return 'gzip';
  if (latin.startsWith('PK\x03\x04') || latin.startsWith('PK\x05\x06')) return 'zip';
  if (latin.startsWith('%PDF-')) return 'pdf';
  if (latin.startsWith('SQLite format 3\0')) return 'sqlite';
  if (latin.startsWith('PAR1')) return 'parquet';
  if (latin.slice(257, 262) === 'ustar') return 'tar';
  return undefined;
}

/** Magic bytes, in hex, of known formats without readable content. */
const UNREADABLE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:89504e47|ffd8ff|47494638|424d|49492a00|4d4d002a|52494646.{8}57454250|00000100)/,
    'an image',
  ],
  [/^(?:494433|fff[b32]|4f676753|664c6143|52494646|.{8}66747970|1a45dfa3)/, 'audio or video'],
  [/^(?:7f454c46|4d5a|cafebabe|cffaedfe|0061736d)/, 'a program'],
  [/^(?:774f46[46]|774f4632|4f54544f|0001000000)/, 'a font'],
  [/^(?:28b52ffd|fd377a585a|425a68|377abcaf|52617221)/, 'a compression that is not supported'],
];

function kindOfBinary(head: Uint8Array): string {
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex');
  return UNREADABLE.find(([form]) => form.test(hex))?.[1] ?? 'binary of an unknown format';
}

/** Undefined for bytes that are no text. */
function encodingOf(head: Uint8Array): string | undefined {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const wide = wideOf(head);
  if (wide !== undefined) return wide;
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return undefined;
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) || byte === 127) {
      odd += 1;
    }
  }
  if (odd * 50 > head.length) return undefined;
  return isUtf8(head) ? 'utf-8' : 'windows-1252';
}

/** Detects UTF-16 without a byte order mark: in plain text every second byte is zero. */
function wideOf(head: Uint8Array): string | undefined {
  const pairs = head.length >> 1;
  if (pairs < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < pairs; i++) {
    if (head[2 * i] === 0) even += 1;
    if (head[2 * i + 1] === 0) odd += 1;
  }
  if (odd > pairs * 0.7 && even < pairs * 0.05) return 'utf-16le';
  if (even > pairs * 0.7 && odd < pairs * 0.05) return 'utf-16be';
  return undefined;
}

function isUtf8(head: Uint8Array): boolean {
  try {
    // A character that is truncated at the end is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function byText(text: string, path: string, whole: boolean): Omit<SniffResult, 'encoding'> {
  const trimmed = text.trimStart();
  const lines = text.split(/\r\n|\n|\r/);
  const json = jsonKind(trimmed, lines, whole);
  if (json !== undefined) return { format: json };
  if (/^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html[\s>])/i.test(trimmed)) {
    return { format: 'html' };
  }
  if (/^<\?xml[\s>]/.test(trimmed)) {
    return { format: /<html[\s>]/i.test(trimmed.slice(0, 1024)) ? 'html' : 'xml' };
  }
  if (/^From \S.*\d{4}/.test(text)) return { format: 'mbox' };
  if (isEmail(lines)) return { format: 'email' };
  if (/^---\r?\n[\s\S]*?\r?\n---\r?\n/.test(text) && !isYamlStream(text)) {
    return { format: 'markdown' };
  }
  const language = languageOf(path, text);
  if (language !== undefined) return { format: 'code', language };
  if (isLog(lines)) return { format: 'log' };
  const dialect = csvDialect(text, whole);
  if (dialect !== undefined) return { format: 'csv', dialect };
  if (isMarkdown(lines)) return { format: 'markdown' };
  if (/^<[A-Za-z][\w:.-]*(?:\s[^<>]*)?>/.test(trimmed)) {
    return {
      format: /^<(?:div|p|head|body|h[1-6]|table|ul|section|article)\b/i.test(trimmed)
        ? 'html'
        : 'xml',
    };
  }
  if (isYaml(lines)) return { format: 'yaml' };
  return { format: 'text' };
}

function jsonKind(trimmed: string, lines: readonly string[], whole: boolean): Format | undefined {
  if (!/^(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/.test(trimmed)) return undefined;
  const full = lines.filter((line) => line.trim() !== '').slice(0, 5);
  if (full.length > 0 && full.every(isObjectLine)) {
    // A single line is a JSON document.
    if (full.length > 1) return 'ndjson';
    return 'json';
  }
  if (whole && !trimmed.startsWith('{"') && !isJson(trimmed)) {
    // Broken JSON is reported as such; other text that begins with a bracket is plain text.
    return /^\[\s*\{|^\{\s*"[^"]*"\s*:/.test(trimmed) ? 'json' : undefined;
  }
  return 'json';
}

function isObjectLine(line: string): boolean {
  return line.trimStart().startsWith('{') && isJson(line);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isEmail(lines: readonly string[]): boolean {
  const end = lines.indexOf('');
  const head = lines.slice(0, end < 0 ? 60 : end);
  if (head.length < 2 || !/^[A-Za-z][A-Za-z0-9-]*:\s?/.test(head[0] ?? '')) return false;
  const names = new Set(
    head.map((line) => /^([A-Za-z][A-Za-z0-9-]*):/.exec(line)?.[1]?.toLowerCase()),
  );
  const known = ['from', 'to', 'subject', 'date', 'message-id', 'received', 'mime-version'];
  return names.has('from') && known.filter((name) => names.has(name)).length >= 3;
}

/**
 * A stream of several YAML documents looks like front matter, but what follows the second marker is
 * YAML again.
 */
function isYamlStream(text: string): boolean {
  const after = text.split(/\r?\n---\r?\n/)[1] ?? '';
  return isYaml(after.split(/\r?\n/));
}

export const LOG_START =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:)/;

function isLog(lines: readonly string[]): boolean {
  const full = lines.filter((line) => line !== '').slice(0, 50);
  const starts = full.filter((line) => LOG_START.test(line)).length;
  // Table rows may begin with a time as well: such lines have a delimiter after the time and no log
  // level.
  if (starts < 2 || starts * 2 < full.length) return false;
  return (
    full.filter((line) => /^[^,;\t]{10,30}[,;\t]/.test(line)).length * 2 < full.length ||
    full.filter((line) => /\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b/.test(line)).length *
      2 >
      full.length
  );
}

function isMarkdown(lines: readonly string[]): boolean {
  let signs = 0;
  for (const line of lines.slice(0, 400)) {
    if (/^#{1,6} \S/.test(line)) signs += 2;
    else if (/^(?:```|~~~|\s*[-*] \[[ x]\] |> |\|.*\|$)/.test(line)) signs += 1;
    if (/\[[^[\]]+\]\([^()]+\)|\[\[[^[\]]+\]\]|\*\*\S[^*]*\*\*/.test(line)) signs += 1;
  }
  return signs >= 2;
}

function isYaml(lines: readonly string[]): boolean {
  const full = lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const sample = full.slice(0, 100);
  const keys = sample.filter((line) => /^\s*(?:- )?[\w."'/-]+:(?:\s|$)|^\s*- \S|^---$/.test(line));
  const top = sample.filter((line) => /^[\w."'/-]+:(?:\s|$)/.test(line)).length;
  return sample.length >= 2 && top >= 1 && keys.length >= sample.length * 0.8;
}
