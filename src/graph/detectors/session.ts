// Links the documents of one session in the order of their times: each follows the one before it.
import type { Detector } from './detector.js';
import type { NodeDocument } from './document.js';

export const session: Detector = {
  name: 'session',
  version: 1,
  suggests: false,
  begin() {
    const sessions = new Map<string, Pick<NodeDocument, 'id' | 'at'>[]>();
    /** Document -> the one before it. */
    let before: Map<string, string> | undefined;
    return {
      learn({ id, at, session: own }) {
        if (own === null) return;
        sessions.set(own.name, [...(sessions.get(own.name) ?? []), { id, at }]);
      },
      find({ id, session: own }) {
        before ??= previous(sessions.values());
        const node = before.get(id);
        if (node === undefined || own === null) return [];
        const { field, name: quote } = own;
        return [
          {
            node,
            type: 'follows',
            confidence: 1,
            field,
            start: 0,
            end: quote.length,
            quote,
          },
        ];
      },
    };
  },
};

function previous(
  sessions: Iterable<readonly Pick<NodeDocument, 'id' | 'at'>[]>,
): Map<string, string> {
  const before = new Map<string, string>();
  for (const documents of sessions) {
    // A document without a time has no position in the order.
    const timed = documents.filter(({ at }) => at !== null);
    const inOrder = timed.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1));
    for (const [i, { id }] of inOrder.entries()) {
      const last = inOrder[i - 1];
      if (last !== undefined) before.set(id, last.id);
    }
  }
  return before;
}
