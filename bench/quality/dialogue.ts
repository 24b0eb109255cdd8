// What agent memory finds again: the turns of a made-up dialogue are stored as memories, and every question is asked in
// each mode. R@5 and R@10: the share of the turns that hold the answer among the first hits.
import { startServer, type TestServer } from '../../test/tools/server.ts';
import { printTable } from '../tools/figures.ts';
import { QUESTIONS, TURNS } from './dialogue-turns.ts';

const NAMESPACE = 'dialogue';

const MODES: Readonly<Record<string, object>> = {
  words: {},
  semantic: { semantic: true },
  hybrid: { hybrid: true },
  'words + graph blend': { graph: { mode: 'blend' } },
  'hybrid + graph blend': { hybrid: true, graph: { mode: 'blend' } },
};

export async function measureDialogue(): Promise<object> {
  const server = await startServer();
  try {
    for (const turn of TURNS) await store(server, turn);
    const rows = [];
    for (const [mode, body] of Object.entries(MODES)) {
      rows.push({ mode, at5: await recall(server, body, 5), at10: await recall(server, body, 10) });
    }
    console.log(`\nmemory: ${TURNS.length} turns, ${QUESTIONS.length} questions`);
    printTable(
      ['', 'R@5', 'R@10'],
      rows.map(({ mode, at5, at10 }) => [mode, percent(at5), percent(at10)]),
    );
    return rows;
  } finally {
    await server.stop();
  }
}

async function store(server: TestServer, turn: (typeof TURNS)[number]): Promise<void> {
  const reply = await server.call('POST', `/_memory/${NAMESPACE}`, {
    id: turn.id,
    text: `${turn.date}, ${turn.speaker}: ${turn.text}`,
    metadata: { session: turn.session, speaker: turn.speaker },
  });
  if (reply.status !== 201) throw new Error(reply.text);
}

async function recall(server: TestServer, mode: object, k: number): Promise<number> {
  let sum = 0;
  for (const [query, evidence] of QUESTIONS) {
    const reply = await server.call('POST', `/_memory/${NAMESPACE}/_recall`, { query, k, ...mode });
    if (reply.status !== 200) throw new Error(reply.text);
    const ids: string[] = reply.json.hits.map((hit: { id: string }) => hit.id);
    sum += evidence.filter((id) => ids.includes(id)).length / evidence.length;
  }
  return sum / QUESTIONS.length;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
