// Analyses short texts on the thread of their request.
import type { JsonObject } from '../../backend/index.js';
import type { Addon, NativeErrors } from '../../native/addon.js';
import { jsonText } from '../catalog/json-text.js';

/** Index number for `analyze` without an index. */
export const NO_INDEX = -1;
/** Length of the texts that are analysed here. */
const MAX_CHARACTERS = 2000;

/**
 * The tokens of a short text by an analyzer with a name, which take less time here than the transfer
 * to another thread. Undefined for other requests: components that a request defines may take long.
 */
export function analyzeShort(
  { addon, errors }: { readonly addon: Pick<Addon, 'analyze'>; readonly errors: NativeErrors },
  body: JsonObject,
): string | undefined {
  const { analyzer, text, ...others } = body;
  const isShort =
    typeof analyzer === 'string' &&
    typeof text === 'string' &&
    text.length <= MAX_CHARACTERS &&
    Object.keys(others).length === 0;
  if (!isShort) return undefined;
  try {
    return addon.analyze(NO_INDEX, jsonText(body));
  } catch (thrown) {
    throw errors.fromThrown(thrown);
  }
}
