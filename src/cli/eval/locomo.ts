// LoCoMo (snap-research/locomo, data/locomo10.json): a list of dialogues
//   {sample_id, conversation: {session_1_date_time, session_1: [{speaker, dia_id, text,
//   blip_caption}], …}, qa: [{question, evidence: ["D1:3"], category: 1 to 5}]}
// Some evidence is written "D8:6; D9:17" or "D30:05".
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

const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

export function isLocomo(value: unknown): boolean {
  return isObject(value) && isObject(value['conversation']) && Array.isArray(value['qa']);
}

export function readLocomo(items: readonly unknown[]): DialogueSet {
  const read = items.filter(isObject).map((item, i) => {
    const turns = turnsOf(isObject(item['conversation']) ? item['conversation'] : {});
    const questions = listOf(item['qa'])
      .filter(isObject)
      .map(({ question, category, evidence }) => ({
        query: textOf(question),
        category: CATEGORIES[Number(category)] ?? textOf(category),
        evidence: listOf(evidence).flatMap((one) => turnIds(textOf(one))),
      }));
    return dialogueOf(textOf(item['sample_id']) || String(i + 1), turns, questions);
  });
  return setOf('LoCoMo', read);
}

function turnsOf(conversation: Readonly<Record<string, unknown>>): readonly Turn[] {
  const sessions = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b));
  return sessions.flatMap((session) => {
    const day = dayIn(conversation[`session_${session}_date_time`]);
    return listOf(conversation[`session_${session}`])
      .filter(isObject)
      .map((turn): Turn => {
        const caption = textOf(turn['blip_caption']);
        const image = caption === '' ? '' : ` [image: ${caption}]`;
        return {
          id: turnIds(textOf(turn['dia_id']))[0] ?? '',
          session: `session-${session}`,
          speaker: textOf(turn['speaker']),
          day,
          words: `${textOf(turn['text'])}${image}`,
        };
      })
      .filter(({ id }) => id !== '');
  });
}

/** "D1:3", without leading zeros. */
function turnIds(written: string): readonly string[] {
  return [...written.matchAll(/D(\d+):(\d+)/g)].map(
    ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
  );
}
