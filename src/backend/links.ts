// Walks over links between nodes, and counts of all links of an index.
import type { Waiter } from './search.js';

/**
 * A point in bitemporal time, in milliseconds since the epoch: what was true at `world` according
 * to what was stored at `system`. Null: according to everything stored now.
 */
export interface LinkMoment {
  readonly world: number;
  readonly system: number | null;
}

/** A walk over link documents, which have `src`, `dst`, `type`, a strength and times. */
export interface LinkWalkRequest {
  /** A single index. */
  readonly index: string;
  readonly seeds: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  readonly hops: 1 | 2;
  /** Undefined for all types. */
  readonly types: readonly string[] | undefined;
  /** Ended links are walked and returned too. */
  readonly includeExpired: boolean;
  readonly moment: LinkMoment;
  /** Maximum number of returned links over all hops. */
  readonly limit: number;
  /**
   * Maximum number of nodes from which the second hop starts; those over the strongest links are
   * chosen.
   */
  readonly frontier: number;
  /** Counts the live links of the seeds and of the ends of returned links. */
  readonly degrees: boolean;
  /** The walk is cancelled when this client disconnects. */
  readonly waiter?: Waiter | undefined;
}

export interface WalkedLink {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** From 0 to 1; 1 if the document has none. */
  readonly confidence: number;
  readonly weight: number;
  readonly detector: string | null;
  /** Whether the link has evidence. */
  readonly evidenced: boolean;
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly created_at: number | null;
  readonly expired_at: number | null;
  readonly hop: 1 | 2;
  /** As seen from the node from which the walk reached the link. */
  readonly direction: 'out' | 'in';
}

/** Numbers of links of one hop that are not returned, by type. */
export interface WalkedHop {
  readonly beyond: ReadonlyMap<string, number>;
  /** Ended links, unless they were requested. */
  readonly retired: ReadonlyMap<string, number>;
  /** Links that begin after the moment of the walk. */
  readonly future: ReadonlyMap<string, number>;
}

/** Number of live links to and from a node. */
export interface LinkDegree {
  readonly in: number;
  readonly out: number;
}

export interface LinkWalkResult {
  /**
   * Ordered by hop, then confidence * weight descending, then valid_at descending, then id; without
   * duplicates.
   */
  readonly links: readonly WalkedLink[];
  readonly hops: readonly WalkedHop[];
  /** False if the second hop did not start from every node of the first. */
  readonly complete: boolean;
  /** Degrees of the seeds and of both ends of the links, if requested. */
  readonly degrees: ReadonlyMap<string, LinkDegree>;
}

export interface LinkCountRequest {
  /** A single index. */
  readonly index: string;
  /** The index whose documents are the nodes; undefined if it does not exist. */
  readonly nodes: string | undefined;
  readonly moment: LinkMoment;
  /** Maximum number of returned hubs. */
  readonly top: number;
  /** Counting is cancelled when this client disconnects. */
  readonly waiter?: Waiter | undefined;
}

/** Counts of all links of an index. */
export interface LinkCounts {
  readonly live: number;
  readonly retired: number;
  readonly future: number;
  /** Live links with evidence. */
  readonly detected: number;
  /**
   * The next time at which a link begins or ends (Infinity if none); the counts are valid until
   * then.
   */
  readonly changesAt: number;
  /** Number of documents in the nodes index. */
  readonly nodes: number;
  /** Nodes with a live link, and how many of these have no document. */
  readonly linked: number;
  readonly missing: number;
  /** The nodes with the most live links, ties ordered by id. */
  readonly hubs: readonly ({ readonly id: string } & LinkDegree)[];
  readonly types: ReadonlyMap<string, { readonly live: number; readonly retired: number }>;
  /** Live links by detector. */
  readonly detectors: ReadonlyMap<string, number>;
  /** Numbers of links that were created and ended, by hour since the epoch. */
  readonly created: ReadonlyMap<number, number>;
  readonly ended: ReadonlyMap<number, number>;
}
