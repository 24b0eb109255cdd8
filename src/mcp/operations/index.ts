// All tools of the server.
import type { Operation } from '../operation.js';
import { GRAPH_OPERATIONS } from './graph.js';
import { MEMORY_OPERATIONS } from './memory.js';
import { MEMORY_MANAGEMENT } from './memory-manage.js';
import { SEARCH_OPERATIONS } from './search.js';

export const OPERATIONS: readonly Operation[] = [
  ...SEARCH_OPERATIONS,
  ...MEMORY_OPERATIONS,
  ...MEMORY_MANAGEMENT,
  ...GRAPH_OPERATIONS,
];
