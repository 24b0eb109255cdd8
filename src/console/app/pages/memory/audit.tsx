// What may be worth tidying in a namespace. An audit reads it and changes nothing.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, path } from '../../kit/api.js';
import { bytesText, countText, numberText, timeText } from '../../kit/format.js';
import { useAction } from '../../kit/load.js';
import { Empty, ErrorBox, Progress } from '../../kit/messages.js';
import type { ViewProps } from './view-props.js';

interface Compared {
  readonly checked: number;
  readonly count: number;
  readonly skipped?: string;
  readonly examples: readonly { readonly ids: readonly string[]; readonly similarity: number }[];
}

interface AuditAnswer {
  readonly memories: number;
  readonly exact_duplicates: {
    readonly groups: number;
    readonly superfluous: number;
    readonly examples: readonly { readonly count: number; readonly ids: readonly string[] }[];
  };
  readonly near_duplicates: Compared;
  readonly contradictions: Compared;
  readonly expiring: {
    readonly count: number;
    readonly within_ms: number;
    readonly examples: readonly { readonly id: string; readonly expires_at: number | null }[];
  };
  readonly largest_metadata: {
    readonly checked: number;
    readonly examples: readonly { readonly id: string; readonly bytes: number }[];
  };
  readonly never_recalled?: {
    readonly count: number;
    readonly since: number | null;
    readonly examples: readonly { readonly id: string; readonly stored_at: number | null }[];
  };
}

interface Example {
  readonly ids: readonly string[];
  readonly note: string;
}

const EXAMPLES = 10;

export function AuditView({ namespace, onOpen }: ViewProps) {
  const [answer, setAnswer] = useState<AuditAnswer>();
  const { isRunning, error, run } = useAction(async () => {
    const body = { examples: EXAMPLES };
    setAnswer(await call<AuditAnswer>('POST', path`/_memory/${namespace}/_audit`, body));
  });
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={isRunning} onClick={run}>
          Audit the namespace
        </button>
      </div>
      {isRunning && <Progress label="Comparing memories" />}
      {error !== undefined && <ErrorBox error={error} />}
      {answer === undefined ? (
        <Empty title="Nothing was audited yet.">
          <p>
            An audit counts duplicates, memories that contradict each other, those whose end is
            near, and those with large metadata. It changes nothing.
          </p>
        </Empty>
      ) : (
        <Findings answer={answer} onOpen={onOpen} />
      )}
    </>
  );
}

function Findings({
  answer,
  onOpen,
}: {
  readonly answer: AuditAnswer;
  readonly onOpen: (id: string) => void;
}) {
  const { exact_duplicates, near_duplicates, contradictions, expiring } = answer;
  const { largest_metadata, never_recalled } = answer;
  const similar = ({ examples }: Compared): readonly Example[] =>
    examples.map(({ ids, similarity }) => ({ ids, note: `similarity ${numberText(similarity)}` }));
  const part = (
    title: string,
    count: ComponentChildren,
    about: string,
    examples: readonly Example[],
  ) => (
    <section class="panel">
      <h3>
        {title}: {count}
      </h3>
      <p class="quiet">{about}</p>
      <ul>
        {examples.map(({ ids, note }) => (
          <li key={ids.join(' ')}>
            {ids.map((id) => (
              <button key={id} type="button" class="link" onClick={() => onOpen(id)}>
                {id}
              </button>
            ))}{' '}
            <span class="quiet">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  );
  const checked = ({ checked: count, skipped }: Compared): string =>
    skipped ?? `Among the latest ${countText(count)} memories.`;
  return (
    <div class="grid">
      {part(
        'Exact duplicates',
        countText(exact_duplicates.superfluous),
        'The same words more than once, in all of the namespace.',
        exact_duplicates.examples.map(({ ids, count }) => ({ ids, note: `${count} times` })),
      )}
      {part(
        'Near duplicates',
        countText(near_duplicates.count),
        checked(near_duplicates),
        similar(near_duplicates),
      )}
      {part(
        'Contradictions',
        countText(contradictions.count),
        checked(contradictions),
        similar(contradictions),
      )}
      {part(
        'Expiring',
        countText(expiring.count),
        'Within a week.',
        expiring.examples.map(({ id, expires_at }) => ({
          ids: [id],
          note: expires_at === null ? '' : timeText(expires_at),
        })),
      )}
      {part(
        'Largest metadata',
        countText(largest_metadata.examples.length),
        `Among the latest ${countText(largest_metadata.checked)} memories.`,
        largest_metadata.examples.map(({ id, bytes }) => ({ ids: [id], note: bytesText(bytes) })),
      )}
      {never_recalled !== undefined &&
        part(
          'Never recalled',
          countText(never_recalled.count),
          never_recalled.since === null ? '' : `Since ${timeText(never_recalled.since)}.`,
          never_recalled.examples.map(({ id, stored_at }) => ({
            ids: [id],
            note: stored_at === null ? '' : timeText(stored_at),
          })),
        )}
    </div>
  );
}
