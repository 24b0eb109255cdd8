// Writes requests about links and reads their replies; native/core/query/links/link_walk.h and
// link_counts.h own the formats.
import type {
  LinkCountRequest,
  LinkCounts,
  LinkDegree,
  LinkMoment,
  LinkWalkRequest,
  LinkWalkResult,
  WalkedHop,
  WalkedLink,
} from '../backend/index.js';
import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';

const MAGIC = 0x4b4e4c51;
const VERSION = 2;
const SIDES = { out: 1, in: 2, both: 3 } as const;
/** The string number that stands for none. */
const NONE = 0xffff_ffff;

/** Flags of a link. */
const OUT = 1;
const SECOND_HOP = 2;
const EVIDENCED = 4;
const VALID_AT = 8;
const INVALID_AT = 16;
const CREATED_AT = 32;
const EXPIRED_AT = 64;

/** Bytes of a link in a reply. */
const LINK_BYTES = 5 * 4 + 1 + 6 * 8;

/** An error reply of the core: number of its error type, reason, cause. */
export interface LinksFailure {
  readonly errorType: number;
  readonly reason: string;
  readonly cause: string;
}

export function writeLinkWalk(request: LinkWalkRequest): Uint8Array<ArrayBuffer> {
  const { direction, hops, includeExpired, degrees, types, moment, limit, frontier } = request;
  const writer = new ByteWriter(256)
    .u8(SIDES[direction])
    .u8(hops)
    .u8(Number(includeExpired))
    .u8(Number(degrees))
    .u8(Number(types !== undefined));
  writeMoment(writer, moment).u32(limit).u32(frontier);
  return writer
    .list(request.seeds, (seed) => writer.str(seed))
    .list(types ?? [], (type) => writer.str(type))
    .take();
}

export function writeLinkCount({ moment, top }: LinkCountRequest): Uint8Array<ArrayBuffer> {
  return writeMoment(new ByteWriter(32), moment).u32(top).take();
}

function writeMoment(writer: ByteWriter, { world, system }: LinkMoment): ByteWriter {
  return writer
    .u8(Number(system !== null))
    .f64(world)
    .f64(system ?? 0);
}

/** `hops` is that of the request. */
export function readLinkWalk(reply: ArrayBuffer, hops: 1 | 2): LinkWalkResult | LinksFailure {
  const reader = open(reply);
  if (!(reader instanceof ByteReader)) return reader;
  // Skips the cost: links visited, posting blocks read.
  reader.skip(16);
  const complete = reader.u8() !== 0;
  const texts = Array.from({ length: reader.count(4) }, () => reader.str());
  const text = (): string => texts[reader.u32()] ?? '';
  const links = Array.from({ length: reader.count(LINK_BYTES) }, () => readLink(reader, texts));
  const counts = (): ReadonlyMap<string, number> =>
    new Map(
      Array.from({ length: reader.count(8) }, (): [string, number] => [text(), reader.u32()]),
    );
  const left = Array.from(
    { length: hops },
    (): WalkedHop => ({ beyond: counts(), retired: counts(), future: counts() }),
  );
  const degrees = Array.from({ length: reader.count(12) }, (): [string, LinkDegree] => [
    text(),
    { in: reader.u32(), out: reader.u32() },
  ]);
  return { links, hops: left, complete, degrees: new Map(degrees) };
}

function readLink(reader: ByteReader, texts: readonly string[]): WalkedLink {
  const [id, src, dst, type] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  const detector = reader.u32();
  const flags = reader.u8();
  const [confidence, weight] = [reader.f64(), reader.f64()];
  const instant = (flag: number): number | null => {
    const ms = reader.f64();
    return (flags & flag) === 0 ? null : ms;
  };
  return {
    edge_id: texts[id] ?? '',
    src: texts[src] ?? '',
    dst: texts[dst] ?? '',
    type: texts[type] ?? '',
    confidence,
    weight,
    detector: detector === NONE ? null : (texts[detector] ?? ''),
    evidenced: (flags & EVIDENCED) !== 0,
    valid_at: instant(VALID_AT),
    invalid_at: instant(INVALID_AT),
    created_at: instant(CREATED_AT),
    expired_at: instant(EXPIRED_AT),
    hop: (flags & SECOND_HOP) === 0 ? 1 : 2,
    direction: (flags & OUT) === 0 ? 'in' : 'out',
  };
}

export function readLinkCounts(reply: ArrayBuffer): LinkCounts | LinksFailure {
  const reader = open(reply);
  if (!(reader instanceof ByteReader)) return reader;
  const [live, retired, future, detected] = four(reader);
  const changesAt = reader.f64();
  const [nodes, linked, missing] = four(reader);
  const hubs = Array.from({ length: reader.count(12) }, () => ({
    id: reader.str(),
    in: reader.u32(),
    out: reader.u32(),
  }));
  const types = Array.from(
    { length: reader.count(12) },
    (): [string, { live: number; retired: number }] => [
      reader.str(),
      { live: reader.u32(), retired: reader.u32() },
    ],
  );
  const detectors = Array.from({ length: reader.count(8) }, (): [string, number] => [
    reader.str(),
    reader.u32(),
  ]);
  const hours = (): ReadonlyMap<number, number> =>
    new Map(
      Array.from({ length: reader.count(12) }, (): [number, number] => [
        reader.f64(),
        reader.u32(),
      ]),
    );
  return {
    live,
    retired,
    future,
    detected,
    changesAt,
    nodes,
    linked,
    missing,
    hubs,
    types: new Map(types),
    detectors: new Map(detectors),
    created: hours(),
    ended: hours(),
  };
}

function four(reader: ByteReader): [number, number, number, number] {
  return [reader.f64(), reader.f64(), reader.f64(), reader.f64()];
}

function open(reply: ArrayBuffer): ByteReader | LinksFailure {
  const reader = new ByteReader(new Uint8Array(reply), 'reply about links').expect(MAGIC, VERSION);
  const errorType = reader.u16();
  return errorType === 0 ? reader : { errorType, reason: reader.str(), cause: reader.str() };
}
