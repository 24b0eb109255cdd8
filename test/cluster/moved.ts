// A service with something of everything that `quarry move` brings into a cluster, and the questions
// whose answers must be the same before and after.
import { bulk, type TestServer } from '../tools/server.ts';

/** Answers that neither cost nor place of storage may change. */
export type Answers = Readonly<Record<string, unknown>>;

export async function fillForMove({ call, ...server }: TestServer): Promise<void> {
  await created(
    call('PUT', '/books', {
      settings: { number_of_shards: 2, index: { sort: { field: 'n', order: 'asc' } } },
      mappings: {
        properties: {
          n: { type: 'long' },
          title: { type: 'text', fields: { raw: { type: 'keyword' } } },
          about: { type: 'semantic_text' },
          v: { type: 'dense_vector', dims: 3, similarity: 'l2_norm' },
        },
      },
      aliases: { shelf: {}, few: { filter: { range: { n: { lt: 5 } } } } },
    }),
  );
  const lines = Array.from({ length: 300 }, (_, n) => {
    const action = { index: { _id: `${n}`, ...(n % 4 === 0 ? { routing: `r${n}` } : {}) } };
    const rest = `"x":1.0,"empty":{},"nothing":null,"v":[1,${n},3]`;
    return `${JSON.stringify(action)}\n{"title":"book ${n}","about":"${SUBJECTS[n % 4]}","n":${n},${rest}}`;
  });
  await bulk({ call, ...server }, '/books/_bulk?refresh=true', lines);
  await created(call('POST', '/books/_update/1?refresh=true', { doc: { title: 'changed' } }));
  const texts = [
    'the spare key lies under the mat',
    'Ann likes green tea',
    'the gate code is 1234',
  ];
  const ids: string[] = [];
  for (const [at, text] of texts.entries()) {
    const stored = await created(
      call('POST', '/_memory/ann', { text, metadata: { session: 's', at } }),
    );
    ids.push(String(stored.id));
  }
  await created(
    call('POST', '/_memory/ann', { text: 'the gate code is 5678', supersedes: ids[2] }),
  );
  const link = { src: ids[0], dst: ids[1], type: 'near', evidence: { quote: 'both at home' } };
  await created(call('POST', '/_graph/ann/link', link));
  const template = { index_patterns: ['from-*'], template: { aliases: { all: {} } } };
  await created(call('PUT', '/_index_template/t', template));
  await created(call('PUT', '/_component_template/c', { template: { settings: {} } }));
  await created(call('PUT', '/_template/l', { index_patterns: ['l-*'], settings: {} }));
  const source = { query: { match: { title: '{{q}}' } } };
  await created(call('PUT', '/_scripts/find', { script: { lang: 'mustache', source } }));
}

const SUBJECTS = ['a boat on the lake', 'bread and butter', 'the night train', 'green tea'];

async function created(
  reply: ReturnType<TestServer['call']>,
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
): Promise<any> {
  const { status, json, text } = await reply;
  if (status < 300) return json;
  throw new Error(`${status}: ${text}`);
}

/** What the service says about all of that. */
export async function answersOf({ call }: TestServer): Promise<Answers> {
  const { json: books } = await call('GET', '/books');
  const { json: meant } = await call('POST', '/books/_search', {
    query: { semantic: { field: 'about', query: 'a lake' } },
    sort: ['_score', { n: 'asc' }],
    size: 3,
  });
  const { json: near } = await call('POST', '/books/_search', {
    knn: { field: 'v', query_vector: [1, 9.2, 3], k: 3 },
  });
  const { json: few } = await call('GET', '/few/_count');
  const { json: recalled } = await call('POST', '/_memory/ann/_recall', {
    query: 'gate code',
    k: 5,
  });
  const { json: list } = await call('GET', '/_memory/ann');
  const [key] = list.entries.filter(({ text }: { text: string }) => text.startsWith('the spare'));
  const {
    took: _took,
    as_of: _now,
    ...ego
  } = (await call('GET', `/_graph/ann/ego?node=${key?.id}`)).json;
  const { json: rendered } = await call('POST', '/books/_search/template', {
    id: 'find',
    params: { q: 'changed' },
  });
  return {
    mappings: books.books.mappings,
    aliases: books.books.aliases,
    document: (await call('GET', '/books/_doc/8?routing=r8')).json._source,
    version: (await call('GET', '/books/_doc/1')).json._version,
    meant: meant.hits.hits.map((hit: { _source: { about: string } }) => hit._source.about),
    near: near.hits.hits.map((hit: { _id: string }) => hit._id),
    few: few.count,
    recalled: recalled.hits.map(({ text }: { text: string }) => text),
    memories: list,
    ego,
    rendered: rendered.hits?.hits.map((hit: { _id: string }) => hit._id),
    templates: [
      (await call('GET', '/_index_template/t')).json,
      (await call('GET', '/_component_template/c')).json,
      (await call('GET', '/_template/l')).json,
    ],
  };
}
