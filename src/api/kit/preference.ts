// `preference` of a search: which shards are asked, and in what order copies of them. There is one copy of each, so that
// most values change nothing; `_shards` does. Texts of the caller's own stick to one copy, which they always do here.
import { QuarryError } from '../../errors.js';
import type { UrlParams } from './params.js';

const ONE_COPY = ['_local', '_only_local'];

/** The shards that it leaves of every index; none where it leaves all. */
export function preferenceParam(params: UrlParams): { readonly shards?: readonly number[] } {
  const text = params.text('preference');
  if (text === undefined) return {};
  const [first = '', ...rest] = text.split('|');
  if (!first.startsWith('_shards:')) {
    checkPlace(text);
    return {};
  }
  if (rest.length > 0) checkPlace(rest.join('|'));
  return { shards: readShards(first.slice('_shards:'.length)) };
}

function readShards(list: string): readonly number[] {
  const numbers = list === '' ? [] : list.split(',');
  const wrong = numbers.find((number) => !/^-?\d{1,9}$/.test(number.trim()));
  if (wrong !== undefined) {
    throw illegal(`[preference] [_shards] takes numbers of shards, got [${wrong}]`);
  }
  return numbers.map(Number);
}

function checkPlace(text: string): void {
  if (!text.startsWith('_') || ONE_COPY.includes(text) || text.startsWith('_prefer_nodes:')) return;
  if (text.startsWith('_only_nodes')) {
    throw illegal(
      '[preference] [_only_nodes] is not supported by this server, which is one node, leave it out',
    );
  }
  throw illegal(`no Preference for [${text}]`);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
