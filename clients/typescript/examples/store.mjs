// A store of LangGraph without a graph: node store.mjs URL
import { QuarryStore } from '../dist/langgraph/store.js';
import { Quarry } from '../dist/src/index.js';

const store = new QuarryStore({
  client: new Quarry({ url: process.argv[2] }),
  prefix: 'example-ts',
  index: { fields: ['text'] },
});
await store.put(['users', 'Ann'], 'home', { text: 'lives in Rome', city: 'Rome' });
await store.put(['users', 'Bob'], 'home', { text: 'lives in Oslo', city: 'Oslo' });
const found = await store.search(['users'], { query: 'who lives in Oslo', limit: 1 });
const filtered = await store.search(['users'], { filter: { city: 'Rome' } });
const namespaces = await store.listNamespaces({ prefix: ['users'] });
await store.delete(['users', 'Bob'], 'home');
console.log(
  JSON.stringify({
    found: found.map(({ namespace }) => namespace),
    filtered: filtered.map(({ value }) => value.city),
    namespaces,
    left: (await store.search(['users'])).length,
  }),
);
