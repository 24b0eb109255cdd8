// Writes the requests of suggesters, and of what selects terms, and reads their replies;
// native/core/query/suggest/suggest_plan.h owns the formats.
import { ByteReader } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { type Opcodes, PlanWriter, type WriteQuery } from './plan-writer.js';

const MAGIC = 0x47555351;
const VERSION = 1;

export type SuggestAsk =
  | {
      readonly kind: 'analyze';
      readonly field: string;
      /** Empty: the field's search analyzer. */
      readonly analyzer: string;
      readonly text: string;
    }
  | {
      readonly kind: 'candidates';
      readonly field: string;
      readonly term: string;
      readonly edits: number;
      readonly prefix: number;
      readonly most: number;
    }
  | { readonly kind: 'counts'; readonly field: string; readonly terms: readonly string[] }
  | CompleteAsk
  | TermsAsk;

/** The terms that texts have as values of a field. */
export interface TermsAsk {
  readonly kind: 'terms';
  readonly field: string;
  /** Empty: the field's index analyzer. */
  readonly analyzer: string;
  /** The tokens of one text that count, the first ones; 0: all. */
  readonly mostTokens: number;
  /** By their bytes instead of their first occurrence. */
  readonly sorted: boolean;
  readonly texts: readonly string[];
}

export interface CompleteAsk {
  readonly kind: 'complete';
  readonly field: string;
  /** Empty: the field's search analyzer. */
  readonly analyzer: string;
  readonly text: string;
  readonly size: number;
  readonly skipDuplicates: boolean;
  /** Undefined: inputs must start with the exact text. */
  readonly fuzzy: FuzzyPrefix | undefined;
}

export interface FuzzyPrefix {
  readonly edits: number;
  readonly transpositions: boolean;
  /** A shorter text is not matched fuzzily. */
  readonly minLength: number;
  /** The length of the prefix that must match exactly. */
  readonly prefixLength: number;
  /** Lengths and edits count characters instead of bytes. */
  readonly unicodeAware: boolean;
}

export interface SuggestShard {
  readonly shard: number;
  /** 0: the newest snapshot. */
  readonly generation: bigint;
}

export interface SuggestRequest {
  readonly shards: readonly SuggestShard[];
  /** 0: no limit. */
  readonly timeoutUs: number;
  readonly asks: readonly SuggestAsk[];
  /** Only documents that match it are considered; undefined: all are. */
  readonly filter?: SuggestFilter | undefined;
}

export interface SuggestFilter {
  /** Wall clock for date math, in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly write: WriteQuery;
}

export interface SuggestToken {
  readonly term: string;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly kind: 'word' | 'shingle' | 'synonym';
}

export interface CandidateTerm {
  readonly term: string;
  readonly edits: number;
  readonly documents: number;
  readonly occurrences: number;
}

export interface TextTerm {
  readonly term: string;
  readonly occurrences: number;
}

export interface TermCount {
  readonly documents: number;
  readonly occurrences: number;
}

export interface ShardCompletion {
  readonly score: number;
  readonly shard: number;
  readonly doc: number;
  /** The analysed input. */
  readonly key: string;
  readonly input: string;
}

export type SuggestAnswer =
  | {
      readonly kind: 'complete';
      readonly mapped: boolean;
      readonly completions: readonly ShardCompletion[];
    }
  | {
      readonly kind: 'analyze';
      readonly mapped: boolean;
      readonly tokens: readonly SuggestToken[];
    }
  | { readonly kind: 'candidates'; readonly terms: readonly CandidateTerm[] }
  | {
      readonly kind: 'counts';
      /** Whether any document has the field. */
      readonly hasField: boolean;
      readonly documents: number;
      /** Without those that are deleted. */
      readonly liveDocuments: number;
      readonly occurrences: number;
      /** -1: unknown. */
      readonly differentTerms: number;
      readonly terms: readonly TermCount[];
    }
  | { readonly kind: 'terms'; readonly mapped: boolean; readonly terms: readonly TextTerm[] };

export interface SuggestReply {
  readonly shards: readonly SuggestShard[];
  /** In the order of `asks`. */
  readonly answers: readonly SuggestAnswer[];
  readonly complete: boolean;
}

/** An error reply of the core: number of its error type, reason, cause. */
export interface SuggestFailure {
  readonly errorType: number;
  readonly reason: string;
  readonly cause: string;
}

const KINDS = { analyze: 1, candidates: 2, counts: 3, complete: 4, terms: 5 } as const;
const TOKEN_KINDS = ['word', 'shingle', 'synonym'] as const;

export function writeSuggest(
  { shards, timeoutUs, asks, filter }: SuggestRequest,
  opcodes: Opcodes,
): Uint8Array<ArrayBuffer> {
  const writer = new PlanWriter(opcodes).f64(timeoutUs);
  writer.list(shards, ({ shard, generation }) => writer.u32(shard).u64(generation));
  writer.list(asks, (ask) => writeAsk(writer, ask)).bool(filter !== undefined);
  if (filter !== undefined) filter.write(writer.f64(filter.nowMs));
  return writer.finish();
}

function writeAsk(writer: ByteWriter, ask: SuggestAsk): void {
  writer.u8(KINDS[ask.kind]).str(ask.field);
  switch (ask.kind) {
    case 'analyze':
      writer.str(ask.analyzer).str(ask.text);
      return;
    case 'candidates':
      writer.str(ask.term).u8(ask.edits).u32(ask.prefix).u32(ask.most);
      return;
    case 'counts':
      writer.list(ask.terms, (term) => writer.str(term));
      return;
    case 'complete':
      writeComplete(writer, ask);
      return;
    case 'terms':
      writer.str(ask.analyzer).u32(ask.mostTokens).u8(Number(ask.sorted));
      writer.list(ask.texts, (text) => writer.str(text));
  }
}

const EXACT: FuzzyPrefix = {
  edits: 0,
  transpositions: false,
  minLength: 0,
  prefixLength: 0,
  unicodeAware: false,
};

function writeComplete(writer: ByteWriter, ask: CompleteAsk): void {
  const { edits, transpositions, minLength, prefixLength, unicodeAware } = ask.fuzzy ?? EXACT;
  writer
    .str(ask.analyzer)
    .str(ask.text)
    .u32(ask.size)
    .u8(Number(ask.skipDuplicates))
    .u8(Number(ask.fuzzy !== undefined))
    .u8(edits)
    .u8(Number(transpositions))
    .u32(minLength)
    .u32(prefixLength)
    .u8(Number(unicodeAware));
}

/** `asks` are those of the request. */
export function readSuggest(
  reply: ArrayBuffer,
  asks: readonly SuggestAsk[],
): SuggestReply | SuggestFailure {
  const reader = new ByteReader(new Uint8Array(reply), 'reply to suggesters').expect(
    MAGIC,
    VERSION,
  );
  const errorType = reader.u16();
  if (errorType !== 0) return { errorType, reason: reader.str(), cause: reader.str() };
  const shards = Array.from({ length: reader.count(12) }, () => ({
    shard: reader.u32(),
    generation: reader.u64(),
  }));
  const answers = asks.map((ask) => readAnswer(reader, ask));
  return { shards, answers, complete: reader.u8() !== 0 };
}

function readAnswer(reader: ByteReader, ask: SuggestAsk): SuggestAnswer {
  switch (ask.kind) {
    case 'analyze':
      return {
        kind: 'analyze',
        mapped: reader.u8() !== 0,
        tokens: Array.from({ length: reader.count(17) }, () => readToken(reader)),
      };
    case 'complete':
      return {
        kind: 'complete',
        mapped: reader.u8() !== 0,
        completions: Array.from({ length: reader.count(20) }, () => readCompletion(reader)),
      };
    case 'candidates':
      return {
        kind: 'candidates',
        terms: Array.from({ length: reader.count(21) }, () => ({
          term: reader.str(),
          edits: reader.u8(),
          documents: reader.f64(),
          occurrences: reader.f64(),
        })),
      };
    case 'counts':
      return {
        kind: 'counts',
        hasField: reader.u8() !== 0,
        documents: reader.f64(),
        liveDocuments: reader.f64(),
        occurrences: reader.f64(),
        differentTerms: reader.f64(),
        terms: Array.from({ length: reader.count(16) }, () => ({
          documents: reader.f64(),
          occurrences: reader.f64(),
        })),
      };
    case 'terms':
      return {
        kind: 'terms',
        mapped: reader.u8() !== 0,
        terms: Array.from({ length: reader.count(8) }, () => ({
          term: reader.str(),
          occurrences: reader.u32(),
        })),
      };
  }
}

function readCompletion(reader: ByteReader): ShardCompletion {
  return {
    score: reader.f32(),
    shard: reader.u32(),
    doc: reader.u32(),
    key: reader.str(),
    input: reader.str(),
  };
}

function readToken(reader: ByteReader): SuggestToken {
  return {
    term: reader.str(),
    start: reader.u32(),
    end: reader.u32(),
    position: reader.u32(),
    kind: TOKEN_KINDS[reader.u8()] ?? 'word',
  };
}
