// `quarry recall` and `quarry remember`: recall and store memories of a namespace.
import { ConfigError } from '../config/load.js';
import { argumentsOf, jsonFlag, required, short, table, wholeFlag } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

interface Hit {
  /** Of a recall over several namespaces. */
  readonly namespace?: string;
  readonly id: string;
  readonly text: string;
  readonly score: number | null;
}

export const RECALL: Verb = {
  name: 'recall',
  usage: [
    '[QUESTION] --namespace NAME [--k N] [--mode hybrid|semantic|words] [--filter JSON] [--context off|JSON] [--collapse TAG] [--rerank ID] [--graph]',
  ],
  about: 'Brings the memories that fit a question; without one, the latest.',
  flags: {
    namespace: 'whose memories; several between commas, and patterns such as team-*',
    k: 'memories to bring (10)',
    mode: 'hybrid: words and meaning (the default), semantic, words',
    filter: 'a query clause on metadata',
    context: 'off, or weights of neighbours, session, speaker and phrase',
    collapse: 'only the best of each value, metadata.session for sessions',
    rerank: 'a registered reranker that puts the first in order',
  },
  switches: { graph: 'let links between memories help' },
  examples: [
    'recall "where does Ann live" --namespace ann',
    `recall bees --namespace ann --filter '{"term": {"metadata.topic": "home"}}'`,
  ],
  run: recall,
};

const MODES: Readonly<Record<string, object>> = {
  hybrid: { hybrid: true },
  semantic: { semantic: true },
  words: {},
};

async function recall(context: VerbContext): Promise<number> {
  const [query, ...more] = context.rest;
  if (more[0] !== undefined)
    throw new ConfigError(`put the question into quotes, [${more[0]}] is one too many`);
  const name = context.values.get('mode') ?? 'hybrid';
  const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (mode === undefined)
    throw new ConfigError(`--mode knows hybrid, semantic and words, not [${name}]`);
  const filter = jsonFlag(context, 'filter');
  const namespace = required(context, 'namespace');
  const isMany = /[,*]/.test(namespace);
  const at = isMany ? '/_memory/_recall' : `/_memory/${encodeURIComponent(namespace)}/_recall`;
  const around = context.values.get('context') === 'off' ? false : jsonFlag(context, 'context');
  const collapse = context.values.get('collapse');
  const rerank = context.values.get('rerank');
  const answer = await context.client().json('POST', at, {
    k: wholeFlag(context, 'k') ?? 10,
    ...(isMany ? { namespaces: namespace.split(',') } : {}),
    ...(query === undefined ? {} : { query, ...mode }),
    ...(filter === undefined ? {} : { filter }),
    ...(around === undefined ? {} : { context: around }),
    ...(collapse === undefined ? {} : { collapse }),
    ...(rerank === undefined ? {} : { rerank: { inference_id: rerank } }),
    ...(context.switches.has('graph') ? { graph: { mode: 'blend' } } : {}),
  });
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const rows = (answer.hits as readonly Hit[]).map(({ namespace: of, id, text, score }) => [
    of === undefined ? id : `${of}/${id}`,
    score === null ? '-' : score.toFixed(3),
    short(text),
  ]);
  if (answer.rerank?.applied === false)
    context.print(`not reranked: ${answer.rerank.error.reason}`);
  for (const line of table(['MEMORY', 'SCORE', 'TEXT'], rows)) context.print(line);
  context.print(`${rows.length} memories, ${answer.not_shown.k} more fit`);
  return 0;
}

export const REMEMBER: Verb = {
  name: 'remember',
  usage: ['TEXT --namespace NAME [--id ID] [--metadata JSON] [--dedup]'],
  about: 'Stores a memory.',
  flags: {
    namespace: 'whose memory',
    id: 'its id; the same again replaces it',
    metadata: 'tags as a JSON object',
  },
  switches: { dedup: 'store nothing if nearly the same is there' },
  examples: [`remember "Ann lives in Rome" --namespace ann --metadata '{"topic": "home"}'`],
  run: remember,
};

async function remember(context: VerbContext): Promise<number> {
  const [text] = argumentsOf(context, 'TEXT');
  const namespace = required(context, 'namespace');
  const id = context.values.get('id');
  const metadata = jsonFlag(context, 'metadata');
  const answer = await context.client().json('POST', `/_memory/${encodeURIComponent(namespace)}`, {
    text,
    ...(id === undefined ? {} : { id }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(context.switches.has('dedup') ? { dedup: true } : {}),
  });
  const reported = answer.created ? `stored as ${answer.id}` : `known already as ${answer.id}`;
  context.print(context.json ? JSON.stringify(answer) : reported);
  return 0;
}
