// The words of a question: its content words in order, and the query that searches for them.
import type { Backend, JsonObject } from '../../backend/index.js';
import { MEMORY_ANALYZER } from '../memory-index.js';
import type { FieldFacts } from './memory-fields.js';

export interface QuestionWord {
  /** As the question spells it. */
  readonly text: string;
  readonly stem: string;
}

/** Maximum number of characters of a question that are divided into words. */
const MAX_CHARS = 8000;
/** A match by speaker counts twice, as measured. */
const SPEAKER_BOOST = 2;

interface Token {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
}

/**
 * The words without function words; all words of a question of function words alone. Undefined for
 * a question that is too long to be divided.
 */
export async function contentWords(
  backend: Pick<Backend, 'analyze'>,
  question: string,
): Promise<readonly QuestionWord[] | undefined> {
  if (question.length > MAX_CHARS) return undefined;
  const body = { analyzer: MEMORY_ANALYZER, text: question };
  const answer = await backend.analyze(undefined, body);
  const { tokens } = JSON.parse(answer) as { readonly tokens: readonly Token[] };
  return tokens.map(({ token, start_offset, end_offset }) => ({
    text: question.slice(start_offset, end_offset),
    stem: token,
  }));
}

/** The question as its words are searched for: without function words that the texts keep. */
export async function searchedQuestion(
  backend: Pick<Backend, 'analyze'>,
  question: string,
  { keepsFunctionWords }: FieldFacts,
): Promise<string> {
  if (!keepsFunctionWords) return question;
  const words = await contentWords(backend, question);
  return words === undefined ? question : words.map(({ text }) => text).join(' ');
}

/** The query that ranks memories by the words of a question. */
export function wordsQuery(question: string, { said }: FieldFacts): JsonObject {
  const text = matching('text', question);
  if (!said) return text;
  const by = { match: { said_by: { query: question, boost: SPEAKER_BOOST } } };
  return { bool: { should: [text, by, matching('said_on', question)] } };
}

export function matching(field: string, question: string): JsonObject {
  return { match: { [field]: { query: question } } };
}
