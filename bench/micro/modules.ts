// The measured modules, loaded from the compiled files of a tree, so that those of a base are
// measured by the same cases.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as JsonModule from '../../src/api/kit/json.ts';
import type * as ReplyModule from '../../src/api/search/reply.ts';
import type * as MergeModule from '../../src/coordinator/shards/merge.ts';
import type * as LinearModule from '../../src/fusion/linear.ts';
import type * as RrfModule from '../../src/fusion/rrf.ts';
import type * as LimitsModule from '../../src/query/limits.ts';
import type * as SearchBodyModule from '../../src/query/search-body.ts';
import type * as FetchReaderModule from '../../src/wire/fetch-reader.ts';
import type * as HitsReaderModule from '../../src/wire/hits-reader.ts';
import type * as ItemsReaderModule from '../../src/wire/items-reader.ts';
import type * as OpsWriterModule from '../../src/wire/ops-writer.ts';

export interface Modules {
  readonly json: typeof JsonModule;
  readonly reply: typeof ReplyModule;
  readonly merge: typeof MergeModule;
  readonly linear: typeof LinearModule;
  readonly rrf: typeof RrfModule;
  readonly limits: typeof LimitsModule;
  readonly searchBody: typeof SearchBodyModule;
  readonly fetchReader: typeof FetchReaderModule;
  readonly hitsReader: typeof HitsReaderModule;
  readonly itemsReader: typeof ItemsReaderModule;
  readonly opsWriter: typeof OpsWriterModule;
}

/** `tree`: a folder in which `npm run build` or tsc ran. */
export async function modulesOf(tree: string): Promise<Modules> {
  const load = (file: string) =>
    import(pathToFileURL(resolve(tree, 'build', 'js', `${file}.js`)).href);
  return {
    json: await load('api/kit/json'),
    reply: await load('api/search/reply'),
    merge: await load('coordinator/shards/merge'),
    linear: await load('fusion/linear'),
    rrf: await load('fusion/rrf'),
    limits: await load('query/limits'),
    searchBody: await load('query/search-body'),
    fetchReader: await load('wire/fetch-reader'),
    hitsReader: await load('wire/hits-reader'),
    itemsReader: await load('wire/items-reader'),
    opsWriter: await load('wire/ops-writer'),
  };
}
