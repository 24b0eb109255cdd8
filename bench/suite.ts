// What every suite may be told.
export interface SuiteOptions {
  /** Of a server to compare with, where a suite can. */
  readonly peer: string | undefined;
}
