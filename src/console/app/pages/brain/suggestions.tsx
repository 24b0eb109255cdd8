// Links that detectors propose: each is accepted, so that it becomes a link, or rejected for good.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Select } from '../../kit/field.js';
import { countText, numberText, plural } from '../../kit/format.js';
import { LoadedView, useAction, useLoad } from '../../kit/load.js';
import { Badge, Empty, ErrorBox, Notice, Progress } from '../../kit/messages.js';
import type { Suggestion, SuggestionsAnswer } from './types.js';

const STATES = [
  { value: 'suggested', title: 'To be decided' },
  { value: 'accepted', title: 'Accepted' },
  { value: 'rejected', title: 'Rejected' },
] as const;
type State = (typeof STATES)[number]['value'];

const PAGE = 50;

interface Props {
  readonly brain: string;
  readonly onNode: (id: string) => void;
}

export function SuggestionsView({ brain, onNode }: Props) {
  const [state, setState] = useState<State>('suggested');
  const suggestions = useLoad(
    (signal) =>
      call<SuggestionsAnswer>('GET', path`/_graph/${brain}/suggestions`, undefined, {
        signal,
        params: { state, limit: PAGE },
      }),
    [brain, state],
  );
  return (
    <>
      <div class="row">
        <Select label="Suggestions" value={state} options={STATES} onChange={setState} />
      </div>
      <LoadedView of={suggestions} what="suggestions">
        {({ total, suggestions: list, not_shown }) =>
          list.length === 0 ? (
            <Empty title="There is nothing of the kind.">
              <p>Detectors propose links where they are not sure. Look for some:</p>
              <DetectButton brain={brain} onDone={suggestions.reload} />
            </Empty>
          ) : (
            <>
              <p class="quiet">
                {plural(total, 'suggestion')}, the strongest first
                {not_shown > 0 && `; ${countText(not_shown)} are not shown`}
              </p>
              <ul class="plain-list">
                {list.map((suggestion) => (
                  <li key={suggestion.id} class="panel">
                    <SuggestionView
                      brain={brain}
                      suggestion={suggestion}
                      isOpen={state === 'suggested'}
                      onNode={onNode}
                      onDecided={suggestions.reload}
                    />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </LoadedView>
    </>
  );
}

function SuggestionView({
  brain,
  suggestion: { id, src, dst, type, confidence, evidence, detector },
  isOpen,
  onNode,
  onDecided,
}: Props & {
  readonly brain: string;
  readonly suggestion: Suggestion;
  readonly isOpen: boolean;
  readonly onDecided: () => void;
}) {
  const decide = (verb: 'accept' | 'reject') => async (): Promise<void> => {
    await call(
      'POST',
      verb === 'accept'
        ? path`/_graph/${brain}/suggestions/${id}/accept`
        : path`/_graph/${brain}/suggestions/${id}/reject`,
    );
    announce(verb === 'accept' ? 'Accepted' : 'Rejected');
    onDecided();
  };
  const accept = useAction(decide('accept'));
  const reject = useAction(decide('reject'));
  const error = accept.error ?? reject.error;
  const node = (name: string) => (
    <button type="button" class="link" onClick={() => onNode(name)}>
      {name}
    </button>
  );
  return (
    <>
      <p>
        {node(src)} <strong>{type}</strong> {node(dst)}{' '}
        <Badge>{`confidence ${numberText(confidence)}`}</Badge>{' '}
        {detector !== null && <Badge>{detector}</Badge>}
      </p>
      {typeof evidence?.quote === 'string' && <blockquote>{evidence.quote}</blockquote>}
      {error !== undefined && <ErrorBox error={error} />}
      {isOpen && (
        <div class="actions">
          <button type="button" class="primary" disabled={accept.isRunning} onClick={accept.run}>
            Accept
          </button>
          <button type="button" disabled={reject.isRunning} onClick={reject.run}>
            Reject
          </button>
        </div>
      )}
    </>
  );
}

type DetectionCounts = Readonly<Record<'links' | 'suggestions', { readonly created: number }>>;

interface DetectionState {
  readonly running: boolean;
  /** Present once it has ended well. */
  readonly result?: DetectionCounts;
}

const POLL_MS = 1000;

/** A detection of a large brain takes minutes; it goes on if the page is left. */
function DetectButton({ brain, onDone }: { readonly brain: string; readonly onDone: () => void }) {
  const [found, setFound] = useState<DetectionCounts>();
  const { isRunning, error, run } = useAction(async () => {
    const target = path`/_graph/${brain}/detect`;
    let state = await call<DetectionState>('POST', target, undefined, {
      params: { wait_for_completion: false },
    });
    while (state.running) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      state = await call<DetectionState>('GET', target);
    }
    setFound(state.result);
    onDone();
  });
  return (
    <>
      <button type="button" disabled={isRunning} onClick={run}>
        Look for links
      </button>
      {found !== undefined && !isRunning && (
        <Notice kind="good">
          {plural(found.links.created, 'new link')} and{' '}
          {plural(found.suggestions.created, 'new suggestion')} were found.
        </Notice>
      )}
      {isRunning && <Progress label="Reading the documents" />}
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}
