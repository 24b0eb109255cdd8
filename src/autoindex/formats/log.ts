// Logs: a document for each entry. An entry starts with a time; lines without a time continue the
// entry.

import { LOG_START } from '../sniff.js';
import { type ByteSource, type FileRecord, linesOf } from '../source.js';

/** Maximum number of lines per entry; stack traces are shorter. */
const MAX_LINES = 500;
const ISO =
  /^\[?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?\]?\s*/;
const LEVEL = /\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b/;
const ACCESS =
  /^(\S+) \S+ (\S+) \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-)(?: "([^"]*)" "([^"]*)")?/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

export async function* readLog(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  let entry: string[] = [];
  let start = 1;
  let line = 0;
  for await (const text of linesOf(source, encoding)) {
    line += 1;
    const begins = LOG_START.test(text) || entry.length >= MAX_LINES;
    if (begins && entry.length > 0) {
      yield { at: String(start), doc: entryOf(entry) };
      entry = [];
    }
    if (entry.length === 0) {
      if (text.trim() === '') continue;
      start = line;
    }
    entry.push(text);
  }
  if (entry.length > 0) yield { at: String(start), doc: entryOf(entry) };
}

function entryOf(lines: readonly string[]): Record<string, unknown> {
  const [first = ''] = lines;
  const access = ACCESS.exec(first);
  if (access !== null) return accessOf(access, lines);
  const time = ISO.exec(first);
  const level = LEVEL.exec(first.slice(0, 120))?.[1];
  const message = time === null ? lines.join('\n') : lines.join('\n').slice(time[0].length);
  return {
    ...(time === null ? {} : { '@timestamp': isoOf(time) }),
    ...(level === undefined ? {} : { level: level.toLowerCase() }),
    message,
  };
}

function isoOf([, year, month, day, clock = '', part, zone]: RegExpExecArray): string {
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const fraction = part === undefined ? '' : `.${part.slice(0, 3)}`;
  const offset = zone === undefined ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  return `${year}-${month}-${day}T${seconds}${fraction}${offset}`;
}

/** The common log format of web servers. */
function accessOf(found: RegExpExecArray, lines: readonly string[]): Record<string, unknown> {
  const [, client, user, day, name = '', year, clock, hours, minutes, method, path, status, bytes] =
    found;
  const month = String(MONTHS.indexOf(name) / 3 + 1).padStart(2, '0');
  return {
    '@timestamp': `${year}-${month}-${day}T${clock}${hours}:${minutes}`,
    client,
    ...(user === '-' ? {} : { user }),
    method,
    path,
    status: Number(status),
    ...(bytes === '-' ? {} : { bytes: Number(bytes) }),
    ...(found[13] === undefined || found[13] === '-' ? {} : { referrer: found[13] }),
    ...(found[14] === undefined ? {} : { agent: found[14] }),
    message: lines.join('\n'),
  };
}
