// A worker like that of autoindex, with readers that misbehave in a way given by the format.
import { parentPort } from 'node:worker_threads';
import { serveReadings } from '../../../build/js/autoindex/isolated-readings.js';

const READERS = {
  text: async function* (source) {
    let count = 0;
    for await (const chunk of source.chunks()) {
      count += 1;
      yield { at: String(count), doc: { bytes: chunk.length } };
    }
  },
  ndjson: async function* () {
    for (let i = 0; ; i++) yield { at: String(i), doc: { i } };
  },
  // biome-ignore lint/correctness/useYield: it never comes to that
  pdf: async function* () {
    for (;;);
  },
  html: async function* () {
    await new Promise(() => undefined);
  },
  // biome-ignore lint/correctness/useYield: it never comes to that
  yaml: async function* () {
    const kept = [];
    for (;;) kept.push({ more: kept.length });
  },
  xml: async function* () {
    yield { at: '1', doc: {} };
    process.exit(3);
  },
  email: async function* () {
    for (let i = 0; i < 20; i++) {
      let sum = 0;
      for (let k = 0; k < 1e8; k++) sum = (sum + k * i) % 1013;
      yield { at: String(i), doc: { i, sum } };
    }
  },
  mbox: async function* () {
    yield { at: '1', doc: { a: 'b', file: 'its own' } };
    let deep = {};
    for (let i = 0; i < 100_000; i++) deep = { deep };
    yield { at: '2', doc: { deep } };
  },
  docx: async function* () {
    const call = () => call() + 1;
    call();
  },
  // biome-ignore lint/correctness/useYield: it never comes to that
  pptx: async function* () {
    throw new TypeError('the first line\nthe second line');
  },
  csv: async function* () {
    yield { at: '1', doc: { a: 1 } };
    throw new Error('row 2 is broken');
  },
};

serveReadings(parentPort, ({ format }) => ({
  family: 'records',
  load: async () => undefined,
  read: READERS[format],
  tables: async () => ['one', 'two'],
}));
