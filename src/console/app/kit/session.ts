// The key that the user typed. It is in the session storage of this tab alone, and is sent as a
// header; it is never in an address, a saved search or a log.
import { signal } from '@preact/signals';

const ITEM = 'quarry.key';

export interface Session {
  /** Undefined: requests are sent without a key. */
  readonly key: string | undefined;
  /** True since the service refused a request for want of a valid key. */
  readonly isRefused: boolean;
  /** Increases with every change of the key, so that pages load their data again. */
  readonly version: number;
}

export const session = signal<Session>({ key: storedKey(), isRefused: false, version: 0 });

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(ITEM) ?? undefined;
  } catch {
    // Storage may be switched off: the key then lives as long as the page.
    return undefined;
  }
}

/** What is wrong with a typed key, undefined if it can be sent as a header. */
export function objectionToKey(key: string): string | undefined {
  if (key === '') return 'Type a key.';
  if (!/^[!-~]+$/.test(key)) return 'A key has only letters, digits and signs, without spaces.';
  return undefined;
}

/** Undefined forgets the key. */
export function changeKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(ITEM);
    else sessionStorage.setItem(ITEM, key);
  } catch {
    // As above.
  }
  session.value = { key, isRefused: false, version: session.value.version + 1 };
}

/** Called when the service answers 401. */
export function refuseKey(): void {
  if (!session.value.isRefused) session.value = { ...session.value, isRefused: true };
}
