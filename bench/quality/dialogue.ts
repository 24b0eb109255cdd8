// Measures the recall of agent memory: the turns of a synthetic dialogue are stored as memories,
// and every question is sent in each mode. R@5 and R@10: the share of the turns with the answer
// among the first hits.
import { startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { QUESTIONS, TURNS } from './dialogue-turns.ts';

const NAMESPACE = 'dialogue';

const MODES: Readonly<Record<string, object>> = {
  words: {},
  semantic: { semantic: true },
  hybrid: { hybrid: true },
  'words + graph blend': { graph: { mode: 'blend' } },
  'hybrid + graph blend': { hybrid: true, graph: { mode: 'blend' } },
};

export async function measureDialogue(): Promise<readonly Row[]> {
  const server = await startServer();
  try {
    for (const turn of TURNS) await store(server, turn);
    const rows: Row[] = [];
    for (const [mode, body] of Object.entries(MODES)) {
      const values = {
        'R@5': await recall(server, body, 5),
        'R@10': await recall(server, body, 10),
      };
      const name = `${mode}, ${TURNS.length} turns, ${QUESTIONS.length} questions`;
      rows.push({ name, unit: 'memory, of 1', values });
    }
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
