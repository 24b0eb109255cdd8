// How long idle connections stay open, on every thread.

/** The value that is reported to clients. */
export const KEEP_ALIVE_MS = 72_000;
