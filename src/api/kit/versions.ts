// The versions that clients are told.

/** The version of the REST convention that clients see; theirs must be able to read it. */
export const COMPATIBLE_VERSION = '8.19.0';

/** What clients check of the version before they go on. */
export const VERSION = {
  number: COMPATIBLE_VERSION,
  build_flavor: 'default',
  build_type: 'npm',
  build_hash: '',
  build_date: '2026-01-01T00:00:00.000Z',
  build_snapshot: false,
  lucene_version: '9.12.2',
  minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
} as const;
