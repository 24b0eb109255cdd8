// The rules for names of repositories and snapshots, with the error messages of Elasticsearch.

import { unprintable } from '../base/names.js';
import { QuarryError } from '../errors.js';
import { repositoryError } from './refusals.js';

const MAX_BYTES = 255;
const FORBIDDEN = /[\s"*,/<>?\\|]/;
const FORBIDDEN_TEXT = `[' ','"','*',',','/','<','>','?','\\','|']`;

export function checkRepositoryName(name: string): void {
  const why = objection(name);
  if (why !== undefined) throw repositoryError(name, why, 400);
}

function objection(name: string): string | undefined {
  if (name === '') return 'cannot be empty';
  const unprinted = unprintable(name);
  if (unprinted !== undefined) return unprinted;
  if (name.includes('#')) return "must not contain '#'";
  if (FORBIDDEN.test(name)) {
    return `must not contain the following characters ${FORBIDDEN_TEXT}`;
  }
  if (name === '_all' || name === '.' || name === '..') return `[${name}] cannot name a repository`;
  return Buffer.byteLength(name) > MAX_BYTES ? `is longer than ${MAX_BYTES} bytes` : undefined;
}

export function checkSnapshotName(repository: string, name: string): void {
  const why = snapshotObjection(name);
  if (why === undefined) return;
  throw new QuarryError(
    'invalid_snapshot_name_exception',
    `[${repository}:${name}] Invalid snapshot name [${name}], ${why}`,
  );
}

function snapshotObjection(name: string): string | undefined {
  if (name === '') return 'cannot be empty';
  const unprinted = unprintable(name);
  if (unprinted !== undefined) return unprinted;
  if (/\s/.test(name)) return 'must not contain whitespace';
  if (name.includes(',')) return "must not contain ','";
  if (name.includes('#')) return "must not contain '#'";
  if (name.startsWith('_')) return "must not start with '_'";
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  if (FORBIDDEN.test(name)) {
    return `must not contain the following characters ${FORBIDDEN_TEXT}`;
  }
  return Buffer.byteLength(name) > MAX_BYTES ? `is longer than ${MAX_BYTES} bytes` : undefined;
}
