// `_block`: adds and removes blocks of an index against reads, writes or changes of its metadata.
// Blocks are stored as index settings.
import { QuarryError } from '../../errors.js';
import { checkWaits, INDEX_OPTIONS, INDEX_WAITS, indexOptions } from '../kit/params.js';
import { type ApiDeps, type ApiRequest, ok, part, type Route } from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';

const BLOCKS = ['read', 'read_only', 'write'];

export function indexBlockRoutes(deps: ApiDeps): readonly Route[] {
  const common = {
    paths: ['/:index/_block/:block'],
    params: [...INDEX_WAITS, ...INDEX_OPTIONS],
  };
  return [
    {
      ...common,
      schema: INDEXES.addBlock,
      methods: ['PUT'],
      privilege: 'manage',
      handler: async (request) => {
        const names = await change(deps, request, true);
        const indices = names.map((name) => ({ name, blocked: true }));
        return ok({ acknowledged: true, shards_acknowledged: names.length > 0, indices });
      },
    },
    {
      ...common,
      schema: INDEXES.removeBlock,
      methods: ['DELETE'],
      privilege: 'manage',
      handler: async (request) => {
        const names = await change(deps, request, null);
        return ok({
          acknowledged: true,
          indices: names.map((name) => ({ name, unblocked: true })),
        });
      },
    },
  ];
}

/** Sets or removes the block; returns the names of the changed indexes. */
async function change(
  deps: ApiDeps,
  request: ApiRequest,
  value: true | null,
): Promise<readonly string[]> {
  checkWaits(request.params);
  const block = part(request, 'block');
  if (!BLOCKS.includes(block)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `No block found with name [${block}], known are [${BLOCKS.join(', ')}]`,
    );
  }
  const expression = part(request, 'index');
  const options = { expandWildcards: ['open'], ...indexOptions(request.params) };
  const names = deps.backend.resolve(expression, options).map(({ name }) => name);
  if (names.length > 0) {
    await deps.backend.putSettings(expression, { [`index.blocks.${block}`]: value }, options);
  }
  return names;
}
