// What `quarry doctor` and GET /v1/doctor report: what was looked at, what was found, and the remedy.

export interface Finding {
  readonly what: string;
  readonly state: 'good' | 'warning' | 'wrong';
  readonly found: string;
  /** Present if the state is not good. */
  readonly remedy?: string;
}

export function good(what: string, found: string): Finding {
  return { what, state: 'good', found };
}

export function warning(what: string, found: string, remedy: string): Finding {
  return { what, state: 'warning', found, remedy };
}

export function wrong(what: string, found: string, remedy: string): Finding {
  return { what, state: 'wrong', found, remedy };
}

/** Nothing is wrong; warnings do not count. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'wrong');
}
