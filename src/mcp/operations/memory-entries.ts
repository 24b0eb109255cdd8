// How memories are shown to models: schema, paging, and text with the counts of what is left out.

import { plainJson } from '../../base/json-text.js';
import type { Reply } from '../call.js';
import { asData, clipText, clipValue, MAX_TEXT, withinChars } from '../clip.js';
import { type Arguments, maxCharsOf, type Outcome, present } from '../operation.js';
import { anObject, flag, number, type Schema, text } from '../schema.js';
import { uriOf } from '../uris.js';

/** Schema of a memory in outputs. */
export const ENTRY: Readonly<Record<string, Schema>> = {
  id: text('Its id.'),
  text: text('What was stored, cut where long.'),
  'metadata?': anObject('Its tags.'),
  'score?': number('How well it fits.'),
  'stored_at?': number('Epoch milliseconds.'),
  'cut?': flag('The text or the tags were cut; the whole is at uri.'),
  uri: text('Resource with the whole memory.'),
};

type Entry = Readonly<Record<string, unknown>>;

/**
 * At most `k` entries, and no more than fit into max_chars; `beyond` is the number of those that
 * did not fit.
 */
export function pageOf(
  namespace: string,
  entries: readonly Reply[],
  k: number,
  args: Arguments,
): { readonly shown: readonly Entry[]; readonly beyond: number } {
  return withinChars(
    entries.slice(0, k).map((entry) => entryOf(namespace, entry)),
    maxCharsOf(args),
  );
}

function entryOf(namespace: string, entry: Reply): Entry {
  const metadata = clipValue(entry.metadata);
  const isCut = entry.text.length > MAX_TEXT || metadata.cut.length > 0;
  return present({
    id: entry.id,
    text: clipText(entry.text),
    metadata: metadata.value,
    score: entry.score,
    stored_at: entry.stored_at,
    cut: isCut ? true : undefined,
    uri: uriOf('memory', namespace, entry.id),
  });
}

/** `all` is the structured result; the text repeats its not_shown and next_cursor. */
export function outcome(
  all: Readonly<Record<string, unknown>>,
  shown: readonly Entry[],
  cursor: string | undefined,
): Outcome {
  const left = Object.entries(all['not_shown'] as Record<string, number>)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} by ${reason}`);
  const head = [
    `${shown.length} memories of ${all['namespace']}`,
    ...(left.length === 0 ? [] : [`left out: ${left.join(', ')}`]),
    ...(cursor === undefined ? [] : [`next_cursor ${cursor}`]),
  ].join('; ');
  const lines = shown.map(({ id, text, metadata, score }, i) => {
    const fit = typeof score === 'number' ? ` (${score.toPrecision(4)})` : '';
    return `${i + 1}. [${id}]${fit} ${text}${metadata === undefined ? '' : ` ${plainJson(metadata)}`}`;
  });
  return {
    structured: present(all),
    text: shown.length === 0 ? `${head}.` : `${head}.\n${asData(lines)}`,
    links: shown
      .filter(({ cut }) => cut === true)
      .map(({ uri, id }) => ({ uri: String(uri), name: String(id) })),
  };
}
