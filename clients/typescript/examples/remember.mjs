// Stores facts, corrects one, and asks: node remember.mjs URL
import { Quarry } from '../dist/src/index.js';

const client = new Quarry({ url: process.argv[2] });
const { memory, graph } = client;
await memory.drop('example-ts');
await memory.bulk('example-ts', [
  { id: 'paris', text: 'Ann lives in Paris', metadata: { session: 's1' } },
  { id: 'museum', text: 'She works at a museum', metadata: { session: 's1' } },
]);
await memory.store('example-ts', { id: 'rome', text: 'Ann lives in Rome', supersedes: ['paris'] });
const { hits, not_shown } = await memory.recall('example-ts', {
  query: 'where does Ann live',
  hybrid: true,
});
const { links } = await graph.ego('example-ts', { node: 'rome', types: ['supersedes'] });
const { forgotten } = await memory.forget('example-ts', 'museum');
const gone = await memory.get('example-ts', 'museum');
console.log(
  JSON.stringify({
    best: hits[0]?.text,
    superseded: not_shown.superseded,
    links: links.map(({ dst }) => dst),
    forgotten,
    found: gone.found,
  }),
);
