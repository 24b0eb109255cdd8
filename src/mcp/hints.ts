// Hints for errors: similar names for an unknown one, and remedies for known errors.
import { editDistance } from '../base/similar-names.js';
import { ask, type Call, type Refusal } from './call.js';
import { isPinned, type Pins, type Subject } from './pins.js';

const NEAREST = 3;
/** Number of compared characters; a longer name is not a typing error. */
const COMPARED = 64;
const PREFIX = '.svc-memory-';

/**
 * The hint for an error; undefined if there is none. Names are suggested only by a server without
 * pins, and only those that its key may see.
 */
export async function hintFor(
  refusal: Refusal,
  context: { readonly call: Call; readonly pins: Pins },
  subject: Subject,
  name: string,
): Promise<string | undefined> {
  if (refusal.hint !== undefined) return refusal.hint;
  if (refusal.status === 401)
    return 'the server needs a key: QUARRY_API_KEY, --api-key, or a bearer token';
  if (refusal.type === 'pinned')
    return 'it was fixed when this server was started; no request can change it';
  if (refusal.status === 403) return 'the key does not allow it; no request can change that';
  if (refusal.status === 429 || refusal.status === 503)
    return 'the service is busy or starting: try again in a moment';
  if (refusal.type !== 'index_not_found_exception' || isPinned(context.pins)) return undefined;
  const near = nearest(name, await namesOf(context.call, subject).catch(() => []));
  return near.length === 0 ? `there is no ${subject} to name yet` : `nearest: ${near.join(', ')}`;
}

/** Names of a subject that the caller may see. */
export async function namesOf(call: Call, subject: Subject): Promise<readonly string[]> {
  const isIndex = subject === 'index';
  const at = `/_cat/indices/${isIndex ? '*' : `${PREFIX}*`}?format=json&h=index&expand_wildcards=all`;
  const rows = (await ask(call, 'GET', at)) as readonly { readonly index: string }[];
  const all = rows.map(({ index }) => index);
  if (isIndex) return all.filter((index) => !index.startsWith('.')).sort();
  const edges = /-edges$/;
  const names = all.map((index) => index.slice(PREFIX.length).replace(edges, ''));
  return [...new Set(names)].sort();
}

/** The names with the smallest edit distances, at most NEAREST. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  return names
    .map((one) => ({ one, far: editDistance(name.slice(0, COMPARED), one) }))
    .sort((a, b) => a.far - b.far || (a.one < b.one ? -1 : 1))
    .slice(0, NEAREST)
    .map(({ one }) => one);
}
