// Plans a restore: selects the indexes of the snapshot, determines their new names, and checks
// everything before any byte is copied.
import type { IndexCopies } from '../backend/index.js';
import { indexNotFound, QuarryError } from '../errors.js';
import type { RestoreRequest } from './bodies.js';
import { choose } from './choose.js';
import type { SnapshotRecord } from './records.js';
import type { Repository } from './repository.js';
import { tried } from './repository-access.js';
import type { RestoreItem } from './restore-run.js';

/** `label` is the snapshot in error messages. */
export async function planRestore(
  record: SnapshotRecord,
  request: RestoreRequest,
  label: string,
  repository: Repository,
  copies: Pick<IndexCopies, 'checkRestore'>,
): Promise<readonly RestoreItem[]> {
  const names = record.indices.map(({ name }) => name);
  const chosen = choose(names, request.indices, (name) => {
    if (!request.ignoreUnavailable) throw indexNotFound(name);
  });
  const sources = new Map<string, string>();
  const items: RestoreItem[] = [];
  for (const index of record.indices.filter(({ name }) => chosen.includes(name))) {
    const name = request.rename(index.name);
    const other = sources.get(name);
    if (other !== undefined) {
      throw refusal(
        label,
        `indices [${other}] and [${index.name}] are renamed into the same index [${name}]`,
      );
    }
    sources.set(name, index.name);
    const stored = await tried(repository, () => repository.indexRecord(record.uuid, index.uuid));
    const restore = {
      name,
      description: stored.description,
      settings: request.settings,
      ignoredSettings: request.ignoredSettings,
      renameAlias: request.includesAliases ? request.renameAlias : null,
    };
    named(label, () => copies.checkRestore(restore));
    items.push({ uuid: index.uuid, record: stored, restore });
  }
  return items;
}

/** Adds the snapshot to restore errors thrown by `check`. */
function named(label: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    const ours = error instanceof QuarryError && error.type === 'snapshot_restore_exception';
    throw ours ? refusal(label, error.message) : error;
  }
}

function refusal(label: string, why: string): QuarryError {
  return new QuarryError('snapshot_restore_exception', `${label} ${why}`, { status: 400 });
}
