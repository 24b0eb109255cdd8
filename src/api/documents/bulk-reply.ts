// Answers of index, create, update and delete, for single requests and for bulk items. Most items
// of a bulk answer differ only in id and numbers, so the common text (a "shape") is made once.
import type {
  BulkItemError,
  BulkResult,
  BulkRows,
  WriteResult,
  WrittenRow,
  WrittenShape,
} from '../../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../../base/cooperative-task.js';
import { quote } from '../../base/json-text.js';
import { ByteText } from '../kit/byte-text.js';
import { toJson } from '../kit/json.js';
import { joinSteps } from '../kit/pieces.js';

const COMMA = Buffer.from(',');

/** Estimated bytes of an item, for the initial size of the output. */
const ITEM_BYTES = 200;
/** Status of an item whose index the key may not use. */
const FORBIDDEN = 403;
/**
 * Shapes that are kept for one bulk answer: enough for all operations and outcomes on a few
 * indexes.
 */
const MOST_SHAPES = 32;

/** The body of an index, create, update or delete answer. */
export function writeReply(result: WriteResult): string {
  const [head, version, seqNo, term] = partsOf(result);
  if (result.seqNo < 0) return withoutNumbers(result, head, version, seqNo);
  const get = result.getSource === undefined ? '' : `,"get":${getSection(result)}`;
  return (
    `${head}${quote(result.id)}${version}${result.version}${seqNo}${result.seqNo}` +
    `${term}${result.primaryTerm}${get}}`
  );
}

/** A document that does not exist has no sequence number. */
function withoutNumbers(
  { id, version: number }: WriteResult,
  head: string,
  version: string,
  behind: string,
): string {
  return `${head}${quote(id)}${version}${number}${behind.replace(',"_seq_no":', '')}}`;
}

function getSection(result: WriteResult): string {
  return (
    `{"_seq_no":${result.seqNo},"_primary_term":${result.primaryTerm},"found":true,` +
    `"_source":${result.getSource}}`
  );
}

/** The text before the id, the version, the sequence number and the primary term. */
function partsOf(shape: WrittenShape): readonly [string, string, string, string] {
  const noop = shape.result === 'noop';
  const shards = `{"total":${noop ? 0 : shape.shardsTotal},"successful":${noop ? 0 : 1},"failed":0}`;
  const refreshed = shape.forcedRefresh ? ',"forced_refresh":true' : '';
  return [
    `{"_index":${quote(shape.index)},"_id":`,
    `,"_version":`,
    `,"result":"${shape.result}"${refreshed},"_shards":${shards},"_seq_no":`,
    `,"_primary_term":`,
  ];
}

function itemText(item: WriteResult | BulkItemError, errors: ErrorTexts): string {
  if ('error' in item) {
    const { op, index, id, status, error } = item;
    const head = `"_index":${quote(index)},"_id":${id === null ? id : quote(id)},"status":${status}`;
    return `{"${op}":{${head},"error":${errors.of(error)}}}`;
  }
  return `{"${item.op}":${writeReply(item).slice(0, -1)},"status":${item.status}}}`;
}

/**
 * Prints a bulk answer. `names`: receives the names of the indexes on which items were permitted.
 */
export function bulkReply(result: BulkResult, names?: Set<string>): Buffer | Promise<Buffer> {
  const rows = result.rows ?? objectRows(result.items);
  const out = new ByteText(rows.count * ITEM_BYTES);
  out.text(`{"errors":${result.errors},"took":${result.tookMs},"items":[`);
  return runCooperatively(writeItems(out, rows, names));
}

function objectRows(items: BulkResult['items']): BulkRows {
  let at = -1;
  return {
    count: items.length,
    next() {
      at += 1;
      return at < items.length;
    },
    row: () => undefined,
    item: () => items[at] as WriteResult | BulkItemError,
  };
}

function* writeItems(
  out: ByteText,
  rows: BulkRows,
  names: Set<string> | undefined,
): CooperativeTask<Buffer> {
  const shapes = new Shapes();
  const errors = new ErrorTexts();
  for (let count = 0; rows.next(); count++) {
    if (count > 0) out.bytes(COMMA);
    const row = rows.row();
    if (row === undefined) {
      const item = rows.item();
      out.text(itemText(item, errors));
      if (item.status !== FORBIDDEN) names?.add(item.index);
    } else {
      writeRow(out, row, shapes.of(row));
      names?.add(row.index);
    }
    if (count % ITEMS_PER_YIELD === ITEMS_PER_YIELD - 1) yield;
  }
  out.text(']}');
  return yield* joinSteps(out.done());
}

/**
 * Prints errors. Consecutive items that failed for the same reason share one error object, whose
 * text is reused.
 */
class ErrorTexts {
  #last: BulkItemError['error'] | undefined;
  #text = '';

  of(error: BulkItemError['error']): string {
    if (error === this.#last) return this.#text;
    this.#last = error;
    this.#text = toJson(error);
    return this.#text;
  }
}

function writeRow(out: ByteText, row: WrittenRow, shape: Shape): void {
  out.bytes(shape.head);
  out.quoted(row.bytes, row.idAt, row.idEnd);
  out.bytes(shape.version);
  out.number(row.version);
  out.bytes(shape.seqNo);
  out.number(row.seqNo);
  out.bytes(shape.term);
  out.number(row.primaryTerm);
  out.bytes(shape.tail);
}

interface Shape {
  readonly of: WrittenShape;
  readonly head: Uint8Array;
  readonly version: Uint8Array;
  readonly seqNo: Uint8Array;
  readonly term: Uint8Array;
  readonly tail: Uint8Array;
}

/** The shapes of one bulk answer. */
class Shapes {
  #known: Shape[] = [];
  #last: Shape | undefined;

  of(row: WrittenRow): Shape {
    if (this.#last !== undefined && isOf(this.#last.of, row)) return this.#last;
    const known = this.#known.find((shape) => isOf(shape.of, row)) ?? this.#make(row);
    this.#last = known;
    return known;
  }

  #make({ op, index, result, status, shardsTotal, forcedRefresh }: WrittenRow): Shape {
    const of = { op, index, result, status, shardsTotal, forcedRefresh };
    const [head, version, seqNo, term] = partsOf(of).map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ];
    const opened = Buffer.concat([Buffer.from(`{"${op}":`), head]);
    const tail = Buffer.from(`,"status":${status}}}`);
    const made = { of, head: opened, version, seqNo, term, tail };
    if (this.#known.length >= MOST_SHAPES) this.#known = [];
    this.#known.push(made);
    return made;
  }
}

function isOf(shape: WrittenShape, row: WrittenRow): boolean {
  return (
    shape.op === row.op &&
    shape.result === row.result &&
    shape.index === row.index &&
    shape.status === row.status &&
    shape.shardsTotal === row.shardsTotal &&
    shape.forcedRefresh === row.forcedRefresh
  );
}
