// `quarry export` and `quarry import` transfer a namespace as NDJSON (import.ts has the other sources),
// `quarry bulk` stores memories from such a file: in parts that any server accepts, with the rate and the remaining time on a
// terminal.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { bytesText } from '../base/bytes-text.js';
import { argumentsOf, required, short } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

/** Size in bytes of the parts of an import, well below the limit of request bodies. */
const PIECE = 4 * 1024 * 1024;
const EVERY_MS = 200;

export const EXPORT: Verb = {
  name: 'export',
  usage: ['FILE --namespace NAME'],
  about:
    'Writes a namespace, its memories and links, to a file; - is standard output. The same state is the same bytes.',
  flags: { namespace: 'whose memories' },
  examples: [
    'export ann.ndjson --namespace ann',
    'export - --namespace ann | gzip > ann.ndjson.gz',
  ],
  run: exportNamespace,
};

export const BULK: Verb = {
  name: 'bulk',
  usage: ['FILE --namespace NAME'],
  about: 'Stores memories from a file, one JSON object in each line; - is standard input.',
  flags: { namespace: 'whose memories' },
  examples: ['bulk memories.ndjson --namespace ann'],
  run: storeLines,
};

async function exportNamespace(context: VerbContext): Promise<number> {
  const [file = ''] = argumentsOf(context, 'FILE');
  const namespace = required(context, 'namespace');
  const pace = new Pace(context, undefined);
  const lines = await context.client().lines(`/_memory/${encodeURIComponent(namespace)}/_export`);
  if (file === '-') {
    for await (const bytes of lines) {
      await context.write(bytes);
      pace.add(bytes.length);
    }
    pace.end();
    return 0;
  }
  // The file gets its name only when it is complete.
  const partial = `${file}.partial`;
  try {
    await pipeline(counted(lines, pace), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  pace.end();
  const reported = { namespace, file, bytes: pace.bytes };
  context.print(context.json ? JSON.stringify(reported) : `${bytesText(pace.bytes)} in ${file}`);
  return 0;
}

/** `quarry import` without --from. */
export async function importNamespace(context: VerbContext): Promise<number> {
  const [file = ''] = argumentsOf(context, 'FILE');
  const namespace = required(context, 'namespace');
  const at = `/_memory/${encodeURIComponent(namespace)}/_import`;
  const client = context.client();
  const pace = new Pace(context, file === '-' ? undefined : statSync(file).size);
  const input = file === '-' ? process.stdin : createReadStream(file);
  const sums: Sums = {};
  for await (const piece of pieces(input)) {
    addUp(sums, await client.send(at, piece));
    pace.add(piece.length);
  }
  pace.end();
  context.print(context.json ? JSON.stringify({ namespace, ...sums }) : sumsText(namespace, sums));
  return 0;
}

interface BulkItem {
  readonly id?: string;
  readonly status: number;
  readonly error?: { readonly reason: string };
}

/** Failed lines that are printed. */
const MAX_FAILED = 20;

async function storeLines(context: VerbContext): Promise<number> {
  const [file = ''] = argumentsOf(context, 'FILE');
  const namespace = required(context, 'namespace');
  const at = `/_memory/${encodeURIComponent(namespace)}/_bulk`;
  const client = context.client();
  const pace = new Pace(context, file === '-' ? undefined : statSync(file).size);
  const input = file === '-' ? process.stdin : createReadStream(file);
  const sums = { created: 0, updated: 0, failed: 0 };
  const failed: { readonly line: number; readonly reason: string }[] = [];
  let before = 0;
  for await (const piece of pieces(input)) {
    const numbers = lineNumbers(piece, before);
    before += piece.toString('latin1').split('\n').length - 1;
    if (numbers.length === 0) continue;
    const { items } = await client.send(at, piece);
    for (const [i, { status, error }] of (items as readonly BulkItem[]).entries()) {
      if (error === undefined) sums[status === 201 ? 'created' : 'updated'] += 1;
      else {
        sums.failed += 1;
        failed.push({ line: numbers[i] ?? 0, reason: error.reason });
      }
    }
    pace.add(piece.length);
  }
  pace.end();
  const shown = failed.slice(0, MAX_FAILED);
  if (context.json) context.print(JSON.stringify({ namespace, ...sums, errors: shown }));
  else {
    for (const { line, reason } of shown) context.print(`line ${line}: ${short(reason, 300)}`);
    context.print(
      `${sums.created} stored, ${sums.updated} there before or replaced, ${sums.failed} failed`,
    );
  }
  return sums.failed === 0 ? 0 : 1;
}

/** The numbers of the lines of a part that hold a memory. */
function lineNumbers(piece: Buffer, before: number): readonly number[] {
  return piece
    .toString('latin1')
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [before + i + 1]));
}

/** By kind (memories, links, suggestions), the numbers of created, merged and unchanged entries. */
type Sums = Record<string, Record<string, number>>;

function addUp(sums: Sums, answer: object): void {
  for (const [kind, counts] of Object.entries(answer)) {
    if (typeof counts !== 'object') continue;
    const all = sums[kind] ?? {};
    sums[kind] = all;
    for (const [name, count] of Object.entries(counts as Record<string, number>))
      all[name] = (all[name] ?? 0) + count;
  }
}

function sumsText(namespace: string, sums: Sums): string {
  const kinds = Object.entries(sums).map(([kind, counts]) => {
    const named = Object.entries(counts).filter(([, count]) => count > 0);
    return `${kind}: ${named.length === 0 ? 'none' : named.map(([name, count]) => `${count} ${name}`).join(', ')}`;
  });
  return `imported into ${namespace}: ${kinds.length === 0 ? 'nothing' : kinds.join('; ')}`;
}

async function* counted(lines: AsyncIterable<Buffer>, pace: Pace): AsyncIterable<Buffer> {
  for await (const bytes of lines) {
    yield bytes;
    pace.add(bytes.length);
  }
}

/** Splits the input at line ends into parts of about PIECE bytes. */
async function* pieces(input: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const bytes of input) {
    const end = bytes.lastIndexOf(10) + 1;
    if (length + bytes.length < PIECE || end === 0) {
      held.push(bytes);
      length += bytes.length;
      continue;
    }
    yield Buffer.concat([...held, bytes.subarray(0, end)]);
    held = [bytes.subarray(end)];
    length = bytes.length - end;
  }
  if (length > 0) yield Buffer.concat(held);
}

/** Shows the rate and the remaining time a few times per second. */
class Pace {
  bytes = 0;
  readonly #context: VerbContext;
  readonly #total: number | undefined;
  readonly #started: number;
  #shown: number;

  constructor(context: VerbContext, total: number | undefined) {
    this.#context = context;
    this.#total = total;
    this.#started = context.nowMs();
    this.#shown = this.#started;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    const now = this.#context.nowMs();
    if (now - this.#shown < EVERY_MS) return;
    this.#shown = now;
    this.#context.progress?.(paceText(this.bytes, this.#total, now - this.#started));
  }

  end(): void {
    this.#context.progress?.('');
  }
}

export function paceText(bytes: number, total: number | undefined, ms: number): string {
  const rate = bytes / (Math.max(ms, 1) / 1000);
  const speed = `${bytesText(Math.round(rate))}/s`;
  if (total === undefined || total === 0) return `${bytesText(bytes)}, ${speed}`;
  const left = Math.max(0, Math.round((total - bytes) / Math.max(rate, 1)));
  return `${Math.floor((100 * bytes) / total)} % of ${bytesText(total)}, ${speed}, ${left} s left`;
}
