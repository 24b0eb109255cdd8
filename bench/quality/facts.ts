// Measures how well memories are recalled in English, Chinese and Japanese: the same 1,000 facts
// about 40 people in each language, and the same 200 questions, which are worded apart from the
// facts. A language is a namespace for each recipe of the built-in embedder.

import { DEEPEST, FIGURES, figuresOf } from '../../src/cli/eval/scores.ts';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { type Language, NAMES, TOPICS, type Topic } from './facts-data.ts';

const QUESTIONS = 200;
const MODES: Readonly<Record<string, object>> = {
  query: {},
  semantic: { semantic: true },
  hybrid: { hybrid: true },
};
/** Modes of a namespace that names an embedder; `query` does not depend on it. */
const NAMED = 'svc-lex-2';
const NAMED_MODES = { semantic: { semantic: true }, hybrid: { hybrid: true } };

interface Fact {
  readonly id: string;
  readonly text: string;
  readonly question: string;
}

export async function measureFacts(): Promise<readonly Row[]> {
  const server = await startServer({});
  try {
    const rows: Row[] = [];
    for (const language of Object.keys(TOPICS) as readonly Language[]) {
      const facts = factsOf(language);
      const measure = async (namespace: string, modes: Readonly<Record<string, object>>) => {
        await store(server, namespace, facts);
        for (const [mode, body] of Object.entries(modes)) {
          const values = await figures(server, namespace, chosen(facts), body);
          rows.push({
            name: `facts, ${namespace}, ${mode} (${QUESTIONS})`,
            unit: 'memory',
            values,
          });
        }
      };
      await measure(language, MODES);
      const named = `${language}-${NAMED}`;
      const reply = await server.call('PUT', `/_memory/${named}`, { inference_id: NAMED });
      if (reply.status !== 200) throw new Error(reply.text);
      await measure(named, NAMED_MODES);
    }
    return rows;
  } finally {
    await server.stop();
  }
}

/** Every person with every topic. */
function factsOf(language: Language): readonly Fact[] {
  return TOPICS[language].flatMap((topic, t) =>
    NAMES[language].map((who, n) => factOf(`${t}-${n}`, topic, who, t + n)),
  );
}

function factOf(id: string, topic: Topic, who: string, at: number): Fact {
  const what = topic.details[at % topic.details.length] ?? '';
  const fill = (text: string): string => text.replaceAll('{who}', who).replaceAll('{what}', what);
  return { id, text: fill(topic.statement), question: fill(topic.question) };
}

/** As many of each topic, and of each person. */
function chosen(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((_, at) => at % (facts.length / QUESTIONS) === Math.floor(at / 40) % 5);
}

async function store(server: TestServer, namespace: string, facts: readonly Fact[]): Promise<void> {
  for (const { id, text } of facts) {
    const reply = await server.call('POST', `/_memory/${namespace}`, { id, text });
    if (reply.status !== 201) throw new Error(reply.text);
  }
}

async function figures(
  server: TestServer,
  namespace: string,
  facts: readonly Fact[],
  mode: object,
): Promise<Readonly<Record<string, number>>> {
  if (facts.length !== QUESTIONS) throw new Error(`${facts.length} questions`);
  const sums = Object.fromEntries(FIGURES.map((figure) => [figure, 0]));
  for (const { id, question } of facts) {
    const body = { query: question, k: DEEPEST, ...mode };
    const reply = await server.call('POST', `/_memory/${namespace}/_recall`, body);
    if (reply.status !== 200) throw new Error(reply.text);
    const ids = reply.json.hits.map((hit: { id: string }) => hit.id);
    for (const [figure, value] of Object.entries(figuresOf(new Set([id]), ids))) {
      sums[figure] = (sums[figure] ?? 0) + value / facts.length;
    }
  }
  return sums;
}
