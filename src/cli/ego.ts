// `quarry ego` and `quarry link`: show and assert links of a brain.
import { ConfigError } from '../config/load.js';
import { argumentsOf, required, short, table, wholeFlag } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

interface Link {
  readonly edge_id: string;
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly hop: number;
  readonly evidence: { readonly quote?: string } | null;
}

export const EGO: Verb = {
  name: 'ego',
  usage: ['NODE --brain NAME [--hops 1|2] [--limit N]'],
  about: 'Shows the links around a node.',
  flags: {
    brain: 'the graph, that of a namespace by its name',
    hops: '1 or 2 (1)',
    limit: 'links to show (100)',
  },
  examples: ['ego m1 --brain ann --hops 2'],
  run: ego,
};

async function ego(context: VerbContext): Promise<number> {
  const [node = ''] = argumentsOf(context, 'NODE');
  const params = new URLSearchParams({ node });
  for (const name of ['hops', 'limit']) {
    const value = wholeFlag(context, name);
    if (value !== undefined) params.set(name, String(value));
  }
  const at = `/_graph/${encodeURIComponent(required(context, 'brain'))}/ego?${params}`;
  const answer = await context.client().json('GET', at);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const rows = (answer.links as readonly Link[]).map((link) => [
    String(link.hop),
    link.src,
    link.type,
    link.dst,
    link.edge_id,
    short(link.evidence?.quote ?? '-', 60),
  ]);
  for (const line of table(['HOP', 'FROM', 'TYPE', 'TO', 'LINK', 'EVIDENCE'], rows))
    context.print(line);
  context.print(`${rows.length} links, ${answer.not_shown.links} not shown`);
  return 0;
}

export const LINK: Verb = {
  name: 'link',
  usage: ['FROM TYPE TO --brain NAME [--quote TEXT] [--confidence N]'],
  about: 'States a link between two nodes.',
  flags: {
    brain: 'the graph, that of a namespace by its name',
    quote: 'the words of FROM that say so',
    confidence: 'how sure, 0 to 1 (1)',
  },
  examples: ['link m2 contradicts m1 --brain ann --quote "no longer in Rome"'],
  run: link,
};

async function link(context: VerbContext): Promise<number> {
  const [src = '', type, dst] = argumentsOf(context, 'FROM', 'TYPE', 'TO');
  const quote = context.values.get('quote');
  const sure = context.values.get('confidence');
  const confidence = sure === undefined ? undefined : Number(sure);
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new ConfigError(`--confidence must be 0 to 1, not [${sure}]`);
  }
  const at = `/_graph/${encodeURIComponent(required(context, 'brain'))}/link`;
  const answer = await context.client().json('POST', at, {
    ...{ src, type, dst },
    ...(confidence === undefined ? {} : { confidence }),
    ...(quote === undefined ? {} : { evidence: { quote, source: src, offset: 0 } }),
  });
  const reported = `${answer.created ? 'linked' : 'known already'}: ${answer.edge_id}`;
  context.print(context.json ? JSON.stringify(answer) : reported);
  return 0;
}
