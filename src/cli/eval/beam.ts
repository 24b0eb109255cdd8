// BEAM (mohammadtavakoli78/BEAM), in both published forms: folders with chat.json and
// probing_questions/probing_questions.json, and the rows of the data set, as JSON or lines, whose
// `probing_questions` are a literal of Python.
//   chat: [{batch_number, turns: [[{role, id, content, time_anchor}]]}], lists nested in any depth
//   questions: {ability: [{question, source_chat_ids: [4] or {name: [4]}}]}
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type DialogueSet,
  dayIn,
  dialogueOf,
  isObject,
  listOf,
  setOf,
  type Turn,
  textOf,
} from './dialogue.js';
import { readPythonLiteral } from './python-literal.js';

const CHAT = 'chat.json';
const QUESTIONS = join('probing_questions', 'probing_questions.json');
/** Precedes the number of their plan, with which messages end. */
const PLAN_MARK = '->->';
const PLAN_NUMBER = /^[\d,.\s]+$/;
const MAX_DEPTH = 8;

export function isBeam(value: unknown): boolean {
  return isObject(value) && 'probing_questions' in value && Array.isArray(value['chat']);
}

export function readBeam(rows: readonly unknown[]): DialogueSet {
  const read = rows.filter(isObject).map((row, i) => {
    const name = textOf(row['conversation_id']) || String(i + 1);
    const questions = row['probing_questions'];
    const parsed = typeof questions === 'string' ? readPythonLiteral(questions) : questions;
    return dialogueOf(name, turnsOf(row['chat']), questionsOf(parsed));
  });
  return setOf('BEAM', read);
}

/** A folder of one dialogue, or of such folders. Undefined if it is neither. */
export function readBeamFolder(folder: string): DialogueSet | undefined {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort((a, b) => basename(a).localeCompare(basename(b), 'en', { numeric: true }));
  const folders = [folder, ...below].filter(
    (one) => existsSync(join(one, CHAT)) && existsSync(join(one, QUESTIONS)),
  );
  if (folders.length === 0) return undefined;
  return readBeam(
    folders.map((one) => ({
      conversation_id: basename(one),
      chat: JSON.parse(readFileSync(join(one, CHAT), 'utf8')) as unknown,
      probing_questions: JSON.parse(readFileSync(join(one, QUESTIONS), 'utf8')) as unknown,
    })),
  );
}

/** A batch of the chat is a session. Of messages with the same id the first one counts. */
function turnsOf(chat: unknown): readonly Turn[] {
  const turns = new Map<string, Turn>();
  for (const [batch, messages] of listOf(chat).entries()) {
    let day: string | undefined;
    for (const message of messagesIn(messages)) {
      const id = textOf(message['id']);
      day = dayIn(message['time_anchor']) ?? day;
      if (id === '' || turns.has(id)) continue;
      turns.set(id, {
        id,
        session: `session-${batch + 1}`,
        speaker: textOf(message['role']),
        day,
        words: withoutPlan(textOf(message['content'])),
      });
    }
  }
  return [...turns.values()];
}

/** The objects with a role and a content, in their order. */
function* messagesIn(node: unknown, depth = 0): Iterable<Readonly<Record<string, unknown>>> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(node)) for (const one of node) yield* messagesIn(one, depth + 1);
  else if (isObject(node) && typeof node['content'] === 'string') yield node;
  else if (isObject(node)) for (const one of Object.values(node)) yield* messagesIn(one, depth + 1);
}

function questionsOf(abilities: unknown) {
  if (!isObject(abilities)) return [];
  return Object.entries(abilities).flatMap(([ability, questions]) =>
    listOf(questions)
      .filter(isObject)
      .map(({ question, source_chat_ids: sources }) => ({
        query: textOf(question),
        category: ability.replaceAll('_', ' '),
        evidence: idsIn(sources),
      })),
  );
}

/** Every number in a list, or in the lists of an object. */
function idsIn(sources: unknown, depth = 0): readonly string[] {
  if (typeof sources === 'number' || typeof sources === 'string') return [textOf(sources)];
  if (depth > MAX_DEPTH) return [];
  const parts = isObject(sources) ? Object.values(sources) : listOf(sources);
  return parts.flatMap((one) => idsIn(one, depth + 1));
}

function withoutPlan(text: string): string {
  const mark = text.lastIndexOf(PLAN_MARK);
  const isPlan = mark >= 0 && PLAN_NUMBER.test(text.slice(mark + PLAN_MARK.length));
  return isPlan ? text.slice(0, mark).trimEnd() : text;
}
