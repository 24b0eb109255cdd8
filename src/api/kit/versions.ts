// The versions that are reported to clients.

/**
 * The version of the REST API that is reported; clients refuse versions that they do not support.
 */
export const COMPATIBLE_VERSION = '8.19.0';

/** The version object that clients check when they connect. */
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
