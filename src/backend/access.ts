// The restriction of a caller to certain indexes. Requests carry it, and it is checked wherever the
// name of an index is looked up.
import type { QuarryError } from '../errors.js';

export interface Access {
  /** Id of the owner of the scrolls, points in time and tasks that the caller opens. */
  readonly owner: string;
  /** Whether the caller may use this name of an index or alias. False for lists and patterns. */
  allows(name: string): boolean;
  /** A security_exception that does not depend on whether an index of this name exists. */
  refusal(name: string): QuarryError;
  /**
   * The same error for a name taken from stored data; its message says `what` instead of the name.
   */
  refusalOf(what: string, name: string): QuarryError;
}
