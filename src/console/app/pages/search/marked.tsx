// Texts of hits with their highlights. Markers are control characters, so that nothing of a text is
// ever read as markup.
import { MARK_END, MARK_START } from './request.js';

const SPLIT = new RegExp(`[${MARK_START}${MARK_END}]`);
const EACH = new RegExp(`[${MARK_START}${MARK_END}]`, 'g');

export function Marked({ text }: { readonly text: string }) {
  const pieces = text.split(SPLIT);
  const marks = text.match(EACH) ?? [];
  return (
    <>
      {pieces.map((piece, at) =>
        marks[at - 1] === MARK_START ? <mark key={at}>{piece}</mark> : piece,
      )}
    </>
  );
}
