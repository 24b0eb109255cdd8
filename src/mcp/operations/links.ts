// How links are shown to models: schema, paging and text.
import type { Reply } from '../call.js';
import { asData, clipValue, toCursor, withinChars } from '../clip.js';
import { type Arguments, maxCharsOf, pick, present } from '../operation.js';
import { anObject, flag, number, object, text } from '../schema.js';

export const LINK = object({
  'edge_id?': text('For svc_brain_unlink.'),
  src: text('From this node.'),
  dst: text('To this node.'),
  type: text('What the link says.'),
  'direction?': text('out or in, seen from the nearer node.'),
  'hop?': number('1 or 2.'),
  'confidence?': number('Confidence in the link, 0 to 1.'),
  'weight?': number('How strong.'),
  'evidence?': anObject('Quote, source and offset.'),
  'asserted?': flag('True: said without evidence.'),
  'state?': text('live, retired or future.'),
});

export type Link = Readonly<Record<string, unknown>>;

/** Converts a link in an answer of the service; long evidence is truncated. */
export function linkOf(link: Reply): Link {
  const names = [
    'src',
    'dst',
    'type',
    'direction',
    'hop',
    'confidence',
    'weight',
    'asserted',
    'state',
  ];
  return present({
    edge_id: link.edge_id ?? link.id,
    ...pick(link, names),
    evidence: link.evidence === null ? undefined : clipValue(link.evidence).value,
  });
}

/** The links that fit into max_chars. */
export function pageOf(links: readonly Link[], args: Arguments) {
  return withinChars(links, maxCharsOf(args));
}

/** Undefined on the last page. `behind` is the number of links that the service left out. */
export function cursorOf(
  page: { readonly shown: readonly Link[]; readonly beyond: number },
  from: number,
  behind: number,
): string | undefined {
  const isMore = page.shown.length > 0 && page.beyond + behind > 0;
  return isMore ? toCursor(from + page.shown.length) : undefined;
}

export function textOf(head: string, links: readonly Link[]): string {
  if (links.length === 0) return head;
  const lines = links.map(({ edge_id, src, dst, type, evidence }) => {
    const quote = (evidence as { quote?: string } | undefined)?.quote;
    return `${src} ${type} ${dst} [${edge_id}]${quote === undefined ? '' : ` because "${quote}"`}`;
  });
  return `${head}\n${asData(lines)}`;
}
