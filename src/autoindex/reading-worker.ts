// The entry point of the worker thread of `isolation.ts`.
import { parentPort } from 'node:worker_threads';
import { readerOf } from './formats/index.js';
import { serveReadings } from './isolated-readings.js';

if (parentPort === null) throw new Error('runs as a worker thread alone');
serveReadings(parentPort, readerOf);
