// Measures the recall of agent memory: the turns of a synthetic dialogue are stored as memories,
// and every question is sent in each mode. The figures are those of `quarry eval`: the share of the
// turns with the answer among the first hits, whether all of them are among the first five, MRR and
// nDCG. `--before TREE` measures another built tree as well, in which modes that it does not know
// are left out.
import { DEEPEST, FIGURES, figuresOf } from '../../src/cli/eval/scores.ts';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { CATEGORIES, QUESTIONS, type Question, TURNS } from './dialogue-turns.ts';

type Turn = (typeof TURNS)[number];

/** How turns are stored: with date and speaker in the text, or in the metadata alone. */
const FORMS = {
  dated: (turn: Turn) => ({
    text: `${turn.date}, ${turn.speaker}: ${turn.text}`,
    metadata: { session: turn.session, speaker: turn.speaker },
  }),
  bare: (turn: Turn) => ({
    text: turn.text,
    metadata: { session: turn.session, speaker: turn.speaker, said_at: dayOf(turn.date) },
  }),
} as const;

const BLEND = { mode: 'blend' };

const MODES: Readonly<Record<string, object>> = {
  query: {},
  semantic: { semantic: true },
  hybrid: { hybrid: true },
  'query, context': { context: true },
  'hybrid, no context': { hybrid: true, context: false },
  'query, blend': { graph: BLEND },
  'hybrid, blend': { hybrid: true, graph: BLEND },
};

export async function measureDialogue(before: string | undefined): Promise<readonly Row[]> {
  const trees = [
    ...(before === undefined ? [] : [{ name: 'before, ', tree: before }]),
    { name: '', tree: '.' },
  ];
  const rows: Row[] = [];
  for (const { name, tree } of trees) {
    const server = await startServer({ tree });
    try {
      for (const form of Object.keys(FORMS) as readonly (keyof typeof FORMS)[]) {
        for (const turn of TURNS) await store(server, form, turn);
        for (const [mode, body] of Object.entries(MODES)) {
          rows.push(...(await measure(server, form, `${name}${form}, ${mode}`, body)));
        }
      }
    } finally {
      await server.stop();
    }
  }
  return rows;
}

function dayOf(date: string): string {
  return new Date(`${date} UTC`).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

async function store(server: TestServer, form: keyof typeof FORMS, turn: Turn): Promise<void> {
  const body = { id: turn.id, ...FORMS[form](turn) };
  const reply = await server.call('POST', `/_memory/${form}`, body);
  if (reply.status !== 201) throw new Error(reply.text);
}

/** One row for each category and one for all; none for a mode that the server does not know. */
async function measure(
  server: TestServer,
  namespace: string,
  name: string,
  mode: object,
): Promise<readonly Row[]> {
  const answers: { readonly question: Question; readonly ids: readonly string[] }[] = [];
  for (const question of QUESTIONS) {
    const body = { query: question.query, k: DEEPEST, ...mode };
    const reply = await server.call('POST', `/_memory/${namespace}/_recall`, body);
    if (reply.status === 400 && reply.text.includes('unknown key')) return [];
    if (reply.status !== 200) throw new Error(reply.text);
    answers.push({ question, ids: reply.json.hits.map((hit: { id: string }) => hit.id) });
  }
  return [undefined, ...CATEGORIES].map((category): Row => {
    const some = answers.filter(
      ({ question }) => category === undefined || question.category === category,
    );
    const figures = some.map(({ question, ids }) => figuresOf(new Set(question.evidence), ids));
    const values = Object.fromEntries(
      FIGURES.map((figure) => [
        figure,
        figures.reduce((sum, one) => sum + one[figure], 0) / figures.length,
      ]),
    );
    return { name: `${name}, ${category ?? 'all'} (${some.length})`, unit: 'memory', values };
  });
}
