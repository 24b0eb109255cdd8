// Answers of the routes of memory, as far as the page shows them.
import type { JsonObject } from '../../kit/json.js';

export interface NamespaceEntry {
  readonly namespace: string;
  readonly memories: number | null;
  readonly bytes: number | null;
  readonly last_store: number | null;
  readonly unavailable?: string;
}

export interface NamespacesAnswer {
  readonly count: number;
  readonly namespaces: readonly NamespaceEntry[];
  readonly next?: string;
}

export interface MemoryEntry {
  readonly id: string;
  readonly text: string | null;
  readonly metadata: JsonObject | null;
  readonly stored_at: number | null;
}

export interface ListAnswer {
  readonly exists: boolean;
  readonly count: number;
  readonly entries: readonly MemoryEntry[];
  readonly next?: string;
  readonly not_shown: Readonly<Record<string, number>>;
}

export interface MemoryDetails extends MemoryEntry {
  readonly edited_at: number | null;
  readonly own_time: number | null;
  readonly expires_at: number | null;
  readonly invalid_at: number | null;
  readonly superseded_at: number | null;
  readonly state: 'live' | 'superseded';
  readonly supersedes: readonly string[];
  readonly superseded_by: readonly string[];
  readonly links: readonly {
    readonly edge_id: string;
    readonly src: string;
    readonly dst: string;
    readonly type: string;
    readonly state: string;
  }[];
  readonly history: readonly {
    readonly text: string | null;
    readonly metadata: JsonObject | null;
    readonly expires_at: number | null;
    readonly from: number;
    readonly until: number;
  }[];
}

export interface Receipt {
  readonly removed: Readonly<Record<string, number>>;
  readonly left: Readonly<Record<string, number>>;
}

export interface Explanation {
  readonly rank: number;
  readonly mode: string;
  readonly base: { readonly rank: number | null; readonly score: number | null };
  readonly matched_terms: readonly string[];
  readonly parts: Readonly<Record<string, number | null>>;
  readonly context?: {
    readonly words: number;
    readonly semantic: number;
    readonly phrase: number;
    readonly speaker: number;
    readonly neighbours: readonly {
      readonly id: string;
      readonly type: string;
      readonly share: number;
    }[];
    readonly session: number;
  };
  readonly graph?: {
    readonly seed: string;
    readonly hop: number;
    readonly strength: number;
    readonly share: number;
  };
  readonly own_time: number | null;
}

export interface RecallHit extends MemoryEntry {
  readonly score: number | null;
  readonly explanation?: Explanation;
}

export interface RecallAnswer {
  readonly hits: readonly RecallHit[];
  readonly not_shown: Readonly<Record<string, number>>;
  readonly explained?: readonly {
    readonly id: string;
    readonly returned: boolean;
    readonly reason: string;
    readonly rank?: number;
    readonly superseded_by?: readonly string[];
  }[];
}
