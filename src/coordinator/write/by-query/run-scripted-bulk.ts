// Runs a bulk body that was split into steps: updates of different documents run concurrently, all
// other operations in their order. One refresh at the end publishes the writes.
import type {
  BulkItemError,
  BulkRequest,
  BulkResult,
  WriteOperation,
  WriteResult,
} from '../../../backend/index.js';
import { QuarryError } from '../../../errors.js';
import type { BulkStep } from './scripted-bulk.js';

export interface StepWriter {
  readonly bulk: (request: BulkRequest) => Promise<BulkResult>;
  /** Without a refresh. */
  readonly update: (operation: WriteOperation) => Promise<WriteResult>;
  /** Refreshes the indexes of these names as the request specifies. */
  readonly refresh: (names: readonly string[], refresh: BulkRequest['refresh']) => Promise<void>;
}

type Item = WriteResult | BulkItemError;

/** Maximum number of concurrent updates. */
const AT_ONCE = 32;

export async function runScriptedBulk(
  steps: readonly BulkStep[],
  request: BulkRequest,
  writer: StepWriter,
): Promise<BulkResult> {
  const started = performance.now();
  const items: Item[] = [];
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    if (step?.kind === 'bytes') {
      const body = new Uint8Array(request.body.subarray(step.from, step.to));
      const result = await writer.bulk({ ...request, refresh: 'false', body });
      for (const item of result.items) items.push(item);
      at += 1;
      continue;
    }
    const together = differentDocuments(steps, at);
    const done = await Promise.all(together.map((operation) => runOne(operation, request, writer)));
    items.push(...done);
    at += together.length;
  }
  const names = new Set(items.flatMap((item) => ('error' in item ? [] : [item.index])));
  if (names.size > 0) await writer.refresh([...names], request.refresh);
  const forced = request.refresh === 'true';
  return {
    tookMs: Math.round(performance.now() - started),
    errors: items.some((item) => 'error' in item),
    items: forced ? items.map(refreshed) : items,
  };
}

/** Consecutive updates up to the first that repeats a document. */
function differentDocuments(steps: readonly BulkStep[], from: number): readonly WriteOperation[] {
  const seen = new Set<string>();
  const found: WriteOperation[] = [];
  for (let at = from; at < steps.length && found.length < AT_ONCE; at++) {
    const step = steps[at];
    if (step?.kind !== 'update') break;
    const { id = '' } = step.operation;
    if (seen.has(id)) break;
    seen.add(id);
    found.push(step.operation);
  }
  return found;
}

async function runOne(
  operation: WriteOperation,
  { access }: BulkRequest,
  writer: StepWriter,
): Promise<Item> {
  const { index, id = null } = operation;
  try {
    if (access !== undefined && !access.allows(index)) throw access.refusal(index);
    return await writer.update(operation);
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    const cause = error.toCause() as BulkItemError['error'];
    return { op: 'update', index, id, status: error.status, error: cause };
  }
}

function refreshed(item: Item): Item {
  return 'error' in item || item.result === 'noop' ? item : { ...item, forcedRefresh: true };
}
