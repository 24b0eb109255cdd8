// Answers of the routes of the link graph, as far as the page shows them.
import type { JsonObject } from '../../kit/json.js';

export interface LinkTimes {
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly created_at: number | null;
  readonly expired_at: number | null;
}

export interface Evidence {
  readonly quote?: string;
  readonly source?: string;
  readonly field?: string;
}

export interface LinkView extends LinkTimes {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly evidence: Evidence | null;
  readonly asserted: boolean;
  readonly detector: string | null;
}

export interface NodeView {
  readonly title: string | null;
  readonly preview: string | null;
  readonly exists: boolean;
  readonly in: number;
  readonly out: number;
}

export interface EgoAnswer {
  readonly node: string;
  readonly exists: boolean;
  readonly as_of: number;
  readonly links: readonly LinkView[];
  readonly nodes: Readonly<Record<string, NodeView>>;
  readonly not_shown: {
    readonly links: number;
    readonly reasons: Readonly<Record<string, number>>;
    readonly exact: boolean;
  };
}

export interface OverviewAnswer {
  readonly exists: boolean;
  readonly as_of: number;
  readonly links: Readonly<Record<'live' | 'retired' | 'future' | 'asserted' | 'detected', number>>;
  readonly nodes: Readonly<Record<'linked' | 'total' | 'orphans' | 'missing', number>>;
  readonly hubs: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly degree: number;
  }[];
  readonly types: readonly {
    readonly type: string;
    readonly live: number;
    readonly retired: number;
  }[];
  readonly detectors: readonly { readonly detector: string; readonly links: number }[];
  readonly timeline: {
    readonly interval: string | null;
    readonly buckets: readonly {
      readonly at: number;
      readonly created: number;
      readonly retired: number;
    }[];
  };
  readonly not_shown: Readonly<Record<'hubs' | 'types' | 'detectors', number>>;
}

export interface Suggestion {
  readonly id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly evidence: Evidence | null;
  readonly detector: string | null;
  readonly created_at: number | null;
}

export interface SuggestionsAnswer {
  readonly total: number;
  readonly suggestions: readonly Suggestion[];
  readonly not_shown: number;
}

export interface BrainEntry {
  readonly brain: string;
  readonly nodes_index: string;
}

export type Document = JsonObject;
