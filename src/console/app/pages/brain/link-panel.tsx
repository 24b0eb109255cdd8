// The chosen link: its times, its evidence with the quote in its document, and the button that
// retires it.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { numberText, timeText } from '../../kit/format.js';
import { useAction } from '../../kit/load.js';
import { Badge, ErrorBox } from '../../kit/messages.js';
import { MomentField } from '../../kit/moments.js';
import { fetchDocument, textAt } from './documents.js';
import { type Moment, stateAt } from './graph-model.js';
import type { Evidence, LinkView } from './types.js';

export function LinkPanel({
  brain,
  link,
  moment,
  titleOf,
  onNode,
  onRetired,
}: {
  readonly brain: string;
  readonly link: LinkView | undefined;
  readonly moment: Moment;
  readonly titleOf: (id: string) => string;
  readonly onNode: (id: string) => void;
  /** Called with the id of the link's first node. */
  readonly onRetired: (src: string) => void;
}) {
  if (link === undefined) return <p class="quiet">The link is gone.</p>;
  const { src, dst, type, confidence, weight, detector, asserted, evidence } = link;
  const times = [
    ['True since', link.valid_at],
    ['True until', link.invalid_at],
    ['Recorded', link.created_at],
    ['End recorded', link.expired_at],
  ] as const;
  const node = (id: string) => (
    <button type="button" class="link" onClick={() => onNode(id)}>
      {titleOf(id)}
    </button>
  );
  return (
    <>
      <h3>
        {node(src)} {type} {node(dst)}
      </h3>
      <p>
        <Badge kind={stateAt(link, moment) === 'live' ? 'good' : 'warning'}>
          {stateAt(link, moment)}
        </Badge>{' '}
        <Badge>{asserted ? 'asserted' : (detector ?? 'detected')}</Badge>
      </p>
      <dl class="facts">
        <dt>Weight</dt>
        <dd>{numberText(weight)}</dd>
        <dt>Confidence</dt>
        <dd>{numberText(confidence)}</dd>
        {times.flatMap(([title, time]) =>
          time === null
            ? []
            : [<dt key={title}>{title}</dt>, <dd key={`${title} at`}>{timeText(time)}</dd>],
        )}
      </dl>
      {evidence === null ? (
        <p class="quiet">It was asserted without a quote.</p>
      ) : (
        <EvidenceView brain={brain} evidence={evidence} />
      )}
      {link.invalid_at === null && (
        <RetireForm brain={brain} id={link.edge_id} onRetired={() => onRetired(src)} />
      )}
    </>
  );
}

/** Characters around a quote in its document. */
const AROUND = 300;

function EvidenceView({
  brain,
  evidence: { quote, source, field },
}: {
  readonly brain: string;
  readonly evidence: Evidence;
}) {
  const [place, setPlace] = useState<{ readonly text: string; readonly at: number }>();
  const { isRunning, error, run } = useAction(async () => {
    if (typeof source !== 'string' || typeof quote !== 'string') return;
    const document = await fetchDocument(brain, source);
    const text = textAt(document, typeof field === 'string' ? field : 'text');
    const at = text?.indexOf(quote) ?? -1;
    if (text === undefined || at < 0) {
      throw new Error(`The quote is not in the document [${source}] any more.`);
    }
    setPlace({ text, at });
  });
  const end = (place?.at ?? 0) + (quote?.length ?? 0);
  return (
    <>
      <h4>Evidence</h4>
      {place === undefined ? (
        <blockquote>{typeof quote === 'string' ? quote : ''}</blockquote>
      ) : (
        <blockquote>
          {place.at > AROUND && '… '}
          {place.text.slice(Math.max(0, place.at - AROUND), place.at)}
          <mark>{quote}</mark>
          {place.text.slice(end, end + AROUND)}
          {place.text.length > end + AROUND && ' …'}
        </blockquote>
      )}
      {typeof source === 'string' && (
        <p class="quiet">
          In <code>{source}</code>
          {typeof field === 'string' && (
            <>
              , field <code>{field}</code>
            </>
          )}
        </p>
      )}
      {typeof source === 'string' && place === undefined && (
        <button type="button" disabled={isRunning} onClick={run}>
          Show it in its document
        </button>
      )}
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}

function RetireForm({
  brain,
  id,
  onRetired,
}: {
  readonly brain: string;
  readonly id: string;
  readonly onRetired: () => void;
}) {
  const [at, setAt] = useState<number>();
  const { isRunning, error, run } = useAction(async () => {
    await call('DELETE', path`/_graph/${brain}/link/${id}`, undefined, {
      params: { invalid_at: at },
    });
    announce('The link is retired');
    onRetired();
  });
  return (
    <details>
      <summary>Retire it</summary>
      <p class="quiet">It ends and stays in the history: the past keeps its answers.</p>
      <MomentField label="True until (now unless told)" value={at} onChange={setAt} />
      {error !== undefined && <ErrorBox error={error} />}
      <button type="button" class="danger" disabled={isRunning} onClick={run}>
        Retire the link
      </button>
    </details>
  );
}
