// The `index.blocks.*` settings: what each refuses, with the messages of Elasticsearch.
import { QuarryError } from '../../errors.js';
import type { Block, IndexBehaviour } from './settings.js';

export type Access = 'read' | 'write' | 'delete_document' | 'change_index' | 'delete_index';

interface BlockRow {
  readonly id: number;
  readonly status: 403 | 429;
  readonly text: string;
  readonly refuses: readonly Access[];
}

const ROWS: Readonly<Record<Block, BlockRow>> = {
  read_only: {
    id: 5,
    status: 403,
    text: 'index read-only (api)',
    refuses: ['write', 'delete_document', 'change_index', 'delete_index'],
  },
  read: { id: 7, status: 403, text: 'index read (api)', refuses: ['read'] },
  write: { id: 8, status: 403, text: 'index write (api)', refuses: ['write', 'delete_document'] },
  read_only_allow_delete: {
    id: 12,
    status: 429,
    text: 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
    refuses: ['write', 'change_index'],
  },
};

/** Throws cluster_block_exception when a block of the index refuses `access`. */
export function refuseBlocked(
  index: { readonly name: string; readonly behaviour: IndexBehaviour },
  access: Access,
): void {
  for (const block of index.behaviour.blocks) {
    const row = ROWS[block];
    if (!row.refuses.includes(access)) continue;
    const word = row.status === 403 ? 'FORBIDDEN' : 'TOO_MANY_REQUESTS';
    throw new QuarryError(
      'cluster_block_exception',
      `index [${index.name}] blocked by: [${word}/${row.id}/${row.text}];`,
      { status: row.status },
    );
  }
}
