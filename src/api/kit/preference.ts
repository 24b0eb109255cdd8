// `preference` of a search: which shards are searched, and which of their copies. Each shard has a
// single copy, so only `_shards` has an effect; other valid values are accepted.
import { QuarryError } from '../../errors.js';
import type { UrlParams } from './params.js';

const ONE_COPY = ['_local', '_only_local'];

/** Numbers of the shards to search in every index; `shards` is absent if all are searched. */
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
