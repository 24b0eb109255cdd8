// The tree of a search for fused lists: the lists that the shards find, and how they are fused.
// Hybrid queries and retrievers are both parsed to this form.
import type { Clause } from './clauses/index.js';

/** A ranked list. Every shard finds its part of it. */
export interface Leg {
  readonly clause: Clause;
  /** The number of best hits over all shards that are read. */
  readonly depth: number;
  /** Hits with a lower score are left out; -Infinity: none are. */
  readonly minScore: number;
}

/** How the scores of a list are brought to a common scale; src/fusion has a function for each. */
export type Normalizer = 'minmax' | 'l2_norm' | 'none';

export type FusionMethod =
  /** Undefined: the default rank constant. */
  { readonly kind: 'rrf'; readonly rankConstant: number | undefined } | { readonly kind: 'linear' };

export interface FusedPart {
  readonly ranking: Ranking;
  /** At least 0. */
  readonly weight: number;
  /** Only linear fusion uses it. */
  readonly normalizer: Normalizer;
}

/** Fuses several rankings into one. */
export interface Fusion {
  readonly kind: 'fusion';
  readonly method: FusionMethod;
  readonly parts: readonly FusedPart[];
  /**
   * The number of best hits of each part whose shares are summed; a deeper hit counts only by its
   * best share (fusion/fuse.ts). It does not depend on the page.
   */
  readonly window: number;
  /** The length of the fused ranking; Infinity: no limit. */
  readonly depth: number;
  /** Hits with a lower fused score are left out; -Infinity: none are. */
  readonly minScore: number;
}

/** `leg` is an index into RankingTree.legs. */
export type Ranking = { readonly kind: 'leg'; readonly leg: number } | Fusion;

export interface RankingTree {
  readonly legs: readonly Leg[];
  readonly root: Fusion;
}

/** Lists of one search, including those of nested retrievers. The core accepts at most 64 legs. */
export const MAX_LISTS = 64;
/** The largest depth that a request may set for a list. */
export const MAX_LIST_DEPTH = 10_000;
export const ALL_SCORES = Number.NEGATIVE_INFINITY;
