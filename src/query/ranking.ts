// What a search for fused lists is made of: lists that the shards find, and how they become one. A hybrid query and a
// retriever both come to this.
import type { Clause } from './clauses/index.js';

/** A ranked list that every shard finds its part of. */
export interface Leg {
  readonly clause: Clause;
  /** The best hits of all shards that are read. */
  readonly depth: number;
  /** Hits that score less do not count; -Infinity: all do. */
  readonly minScore: number;
}

/** How the scores of a list are brought to a common scale; src/fusion has a function for each. */
export type Normalizer = 'minmax' | 'l2_norm' | 'none';

export type FusionMethod =
  /** Without a constant: the usual one. */
  { readonly kind: 'rrf'; readonly rankConstant: number | undefined } | { readonly kind: 'linear' };

export interface FusedPart {
  readonly ranking: Ranking;
  /** At least 0. */
  readonly weight: number;
  /** Linear fusion heeds it. */
  readonly normalizer: Normalizer;
}

/** Several lists become one. */
export interface Fusion {
  readonly kind: 'fusion';
  readonly method: FusionMethod;
  readonly parts: readonly FusedPart[];
  /** Hits of each part that add up; deeper ones count alone (fusion/fuse.ts). Does not depend on the page. */
  readonly window: number;
  /** The best hits that count; Infinity: all do. */
  readonly depth: number;
  /** Hits whose fused score is less do not count; -Infinity: all do. */
  readonly minScore: number;
}

/** `leg`: place of the list in Ranked.legs. */
export type Ranking = { readonly kind: 'leg'; readonly leg: number } | Fusion;

export interface RankingTree {
  readonly legs: readonly Leg[];
  readonly root: Fusion;
}

/** Lists of one search, those of nested retrievers counted; the core takes 64 legs. */
export const MAX_LISTS = 64;
/** Of a list, as far as a request may say. */
export const MAX_LIST_DEPTH = 10_000;
export const ALL_SCORES = Number.NEGATIVE_INFINITY;
