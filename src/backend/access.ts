// What a caller may see and touch: carried by requests, and asked wherever a name of an index is looked up.
import type { QuarryError } from '../errors.js';

export interface Access {
  /** Whose the scrolls, points in time and tasks are that it opens. */
  readonly owner: string;
  /** True for the name of an index or an alias that it may use; never for what is no single name. */
  allows(name: string): boolean;
  /** security_exception, the same whether there is something of that name or not. */
  refusal(name: string): QuarryError;
  /** The same where the name comes from what others stored: the reason says `what` in its place. */
  refusalOf(what: string, name: string): QuarryError;
}
