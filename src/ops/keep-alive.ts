// How long connections that ask for nothing stay open, whoever reads them.

/** As clients are told. */
export const KEEP_ALIVE_MS = 72_000;
