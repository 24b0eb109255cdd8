// Walks over links between nodes, and all links of an index in numbers.
import type { Waiter } from './search.js';

/** What was true at `world`, as it was known at `system`; epoch milliseconds. Null: all that is known now. */
export interface LinkMoment {
  readonly world: number;
  readonly system: number | null;
}

/** A walk over the documents of an index that join two nodes: `src`, `dst`, `type`, their strength and their times. */
export interface LinkWalkRequest {
  /** One index. */
  readonly index: string;
  readonly seeds: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  readonly hops: 1 | 2;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  /** Links that are over are walked and returned, too. */
  readonly includeExpired: boolean;
  readonly moment: LinkMoment;
  /** Links returned, of all hops together. */
  readonly limit: number;
  /** Nodes that a second hop starts from: those over the strongest links. */
  readonly frontier: number;
  /** Count the live links of the seeds and of the ends of what is returned. */
  readonly degrees: boolean;
  /** The walk ends once it has gone. */
  readonly waiter?: Waiter | undefined;
}

export interface WalkedLink {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  /** 0 to 1; 1 where the document has none. */
  readonly confidence: number;
  readonly weight: number;
  readonly detector: string | null;
  /** It carries evidence. */
  readonly evidenced: boolean;
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly created_at: number | null;
  readonly expired_at: number | null;
  readonly hop: 1 | 2;
  /** Seen from where the walk came from. */
  readonly direction: 'out' | 'in';
}

/** Links of one hop that are not returned: type -> how many. */
export interface WalkedHop {
  readonly beyond: ReadonlyMap<string, number>;
  /** Those that are over, unless they were asked for. */
  readonly retired: ReadonlyMap<string, number>;
  /** Those that are known, and begin later. */
  readonly future: ReadonlyMap<string, number>;
}

/** Live links that point to a node, and away from it. */
export interface LinkDegree {
  readonly in: number;
  readonly out: number;
}

export interface LinkWalkResult {
  /** By hop, then confidence * weight descending, then valid_at descending, then id. None twice. */
  readonly links: readonly WalkedLink[];
  readonly hops: readonly WalkedHop[];
  /** False: the second hop did not start from every node of the first. */
  readonly complete: boolean;
  /** Of the seeds and of both ends of the links, when asked for. */
  readonly degrees: ReadonlyMap<string, LinkDegree>;
}

export interface LinkCountRequest {
  /** One index. */
  readonly index: string;
  /** The index whose documents are the nodes; undefined: there is none. */
  readonly nodes: string | undefined;
  readonly moment: LinkMoment;
  /** Hubs returned. */
  readonly top: number;
  /** Counting ends once it has gone. */
  readonly waiter?: Waiter | undefined;
}

/** All links of an index in numbers. */
export interface LinkCounts {
  readonly live: number;
  readonly retired: number;
  readonly future: number;
  /** Live, with evidence. */
  readonly detected: number;
  /** The next instant at which a link begins or ends, Infinity for none: until then the counts hold. */
  readonly changesAt: number;
  /** Documents of the nodes index. */
  readonly nodes: number;
  /** Nodes with a live link, and those of them without a document. */
  readonly linked: number;
  readonly missing: number;
  /** The nodes with the most live links, then by id. */
  readonly hubs: readonly ({ readonly id: string } & LinkDegree)[];
  readonly types: ReadonlyMap<string, { readonly live: number; readonly retired: number }>;
  /** Live links. */
  readonly detectors: ReadonlyMap<string, number>;
  /** Hour since the epoch -> links that were asserted, and that were retired. */
  readonly created: ReadonlyMap<number, number>;
  readonly ended: ReadonlyMap<number, number>;
}
