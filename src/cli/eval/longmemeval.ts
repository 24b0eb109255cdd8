// LongMemEval (longmemeval_s.json, _m, _oracle and their cleaned forms): a list of questions, each
// with a history of its own
//   {question_id, question_type, question, haystack_dates: ["2023/05/20 (Sat) 02:21"],
//   haystack_session_ids, haystack_sessions: [[{role, content, has_answer}]]}
// The turns with `has_answer` are the evidence; questions of abstention have none.
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

export function isLongMemEval(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['haystack_sessions']);
}

export function readLongMemEval(items: readonly unknown[]): DialogueSet {
  const read = items.filter(isObject).map((item, i) => {
    const dates = listOf(item['haystack_dates']);
    const names = listOf(item['haystack_session_ids']);
    const evidence: string[] = [];
    const turns = listOf(item['haystack_sessions']).flatMap((session, s) =>
      listOf(session)
        .filter(isObject)
        .map((turn, t): Turn => {
          const id = `${s + 1}:${t + 1}`;
          if (turn['has_answer'] === true) evidence.push(id);
          return {
            id,
            session: textOf(names[s]) || `session-${s + 1}`,
            speaker: textOf(turn['role']),
            day: dayIn(dates[s]),
            words: textOf(turn['content']),
          };
        }),
    );
    const name = textOf(item['question_id']) || String(i + 1);
    const question = { query: textOf(item['question']), category: textOf(item['question_type']) };
    return dialogueOf(name, turns, [{ ...question, evidence }]);
  });
  return setOf('LongMemEval', read);
}
