// The chosen node: its document, and what can be done with it.
import { useState } from 'preact/hooks';
import { countText } from '../../kit/format.js';
import { JsonView } from '../../kit/json-view.js';
import { useAction } from '../../kit/load.js';
import { Badge, ErrorBox } from '../../kit/messages.js';
import { AssertForm } from './assert-form.js';
import { fetchDocument } from './documents.js';
import { type GraphNode, nameOf } from './graph-model.js';
import type { Document } from './types.js';

export function NodePanel({
  brain,
  id,
  node,
  isGrowing,
  onExpand,
  onCentre,
  onAsserted,
}: {
  readonly brain: string;
  readonly id: string;
  /** Undefined until it is loaded. */
  readonly node: GraphNode | undefined;
  readonly isGrowing: boolean;
  readonly onExpand: (id: string) => void;
  readonly onCentre: (id: string) => void;
  readonly onAsserted: () => void;
}) {
  const [document, setDocument] = useState<Document>();
  const { isRunning, error, run } = useAction(async () => {
    setDocument(await fetchDocument(brain, id));
  });
  if (node === undefined) return <p class="quiet">{id}</p>;
  const { view, isExpanded } = node;
  return (
    <>
      <h3>{nameOf(node)}</h3>
      <p>
        <code>{id}</code> {!view.exists && <Badge kind="warning">no such document</Badge>}
      </p>
      {view.preview !== null && <p>{view.preview}</p>}
      <p class="quiet">
        {countText(view.out)} links from it, {countText(view.in)} to it
      </p>
      <div class="actions">
        <button type="button" disabled={isGrowing || isExpanded} onClick={() => onExpand(id)}>
          {isExpanded ? 'Expanded' : 'Expand'}
        </button>
        <button type="button" onClick={() => onCentre(id)}>
          Begin here
        </button>
        {view.exists && (
          <button type="button" disabled={isRunning} onClick={run}>
            Its document
          </button>
        )}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {document !== undefined && <JsonView label={`The document ${id}`} value={document} />}
      <details>
        <summary>Assert a link from it</summary>
        <AssertForm brain={brain} src={id} onAsserted={onAsserted} />
      </details>
    </>
  );
}
