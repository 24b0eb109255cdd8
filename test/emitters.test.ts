// No source creates an emitter of error events without a listener; and the checker finds a planted
// one of every kind.
import { describe, expect, test } from 'vitest';
import { unheardEmitters } from './tools/emitters.ts';
import { readSources } from './tools/source-files.ts';

/** Emitters that are passed on when they are created, with the place of the listener. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['BrotliCompress', 'BrotliDecompress', 'Deflate', 'Gunzip', 'Gzip', 'Inflate'].map((coder) => [
      `src/http/pipeline/compression.ts: create${coder}`,
      'pipeline() of the same file, which all of them are made for',
    ]),
  ),
  'src/http/pipeline/render.ts: Readable': 'the pipeline of requests, before it is read',
  'src/http/pipeline/request-body.ts: Readable': 'the promise of the body',
  'src/http/threads/http-worker.ts: createServer': 'a server that never listens has no errors',
  'src/http/threads/http-worker.ts: createTlsServer': 'a server that never listens has no errors',
  'src/autoindex/source.ts: createReadStream': 'chunks() is read by loops alone, which throw it',
  'src/snapshot/log/wal-files.ts: createReadStream': 'yield* reads it, from the same turn on',
  'src/cli/transfer.ts: createReadStream': 'pieces() reads it in a loop, from the same turn on',
};

test('every error event has a listener', () => {
  const unheard = readSources('src', ['.ts']).flatMap(unheardEmitters);
  expect(unheard.filter((one) => ELSEWHERE[one] === undefined)).toEqual([]);
});

describe('the checker', () => {
  const reported = (text: string): readonly string[] => unheardEmitters({ path: 'a.ts', text });

  test.each([
    ["import { Worker } from 'node:worker_threads';\nconst worker = new Worker(file);", 'Worker'],
    ["import { connect as dial } from 'node:net';\nconst c = dial(1);\nd.on('error', f);", 'dial'],
    ["import { spawn } from 'node:child_process';\nspawn('ls');", 'spawn'],
    [
      "import { createReadStream } from 'node:fs';\nreturn createReadStream(path);",
      'createReadStream',
    ],
    [
      "const { createGunzip } = await import('node:zlib');\nconst g = createGunzip();",
      'createGunzip',
    ],
    [
      "import { Piscina } from 'piscina';\nthis.#pool = new Piscina({});\npool.on('error', f);",
      'Piscina',
    ],
    ["import { pino } from 'pino';\nconst out = pino.destination(1);", 'pino'],
    ["import { Readable } from 'node:stream';\nsend(Readable.from(rows));", 'Readable'],
    ['a.pipe(b);', '.pipe('],
  ])('finds what nobody listens to in %j', (text, maker) => {
    expect(reported(text)).toEqual([`a.ts: ${maker}`]);
  });

  test.each([
    "import { Worker } from 'node:worker_threads';\nconst worker = new Worker(file);\nworker.on('message', f).on('error', g);",
    "import { Socket } from 'node:net';\nthis.#socket = new Socket();\nthis.#socket.once('error', f);",
    "import { createWriteStream } from 'node:fs';\nawait pipeline(rows, createWriteStream(path));",
    "import { createGunzip } from 'node:zlib';\nconst g = createGunzip();\npipeline(a, g, () => {});",
    "import { createReadStream } from 'node:fs';\nfor await (const chunk of createReadStream(path)) f(chunk);",
    "import type { Socket } from 'node:net';\nfunction f(socket: Socket) {}",
    "import { createServer } from './server.js';\nconst server = createServer();",
    "import { pino } from 'pino';\nconst out = pino.destination(1);\nout.on('error', f);\nreturn pino({}, out);",
    "import { Worker } from 'node:worker_threads';\n// new Worker() is not made here.",
  ])('is content with %j', (text) => {
    expect(reported(text)).toEqual([]);
  });
});
