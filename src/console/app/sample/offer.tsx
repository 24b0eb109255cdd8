// What an empty service shows: how to begin, and sample data in one click.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { announce } from '../kit/announce.js';
import { CodeView } from '../kit/json-view.js';
import { useAction } from '../kit/load.js';
import { Empty, ErrorBox, Notice, Progress } from '../kit/messages.js';
import { href } from '../kit/router.js';
import { SAMPLE_INDEX, SAMPLE_NAMESPACE } from './names.js';

/** True since the sample data was loaded in this page. */
const isLoaded = signal(false);

/** Where to look at the sample data, once it is loaded; above what has taken the place of the offer. */
export function SampleNotice() {
  if (!isLoaded.value) return null;
  return (
    <Notice kind="good">
      <p>
        The sample data is loaded.{' '}
        <a href={href('search', [], { index: SAMPLE_INDEX, q: 'boats in bad weather' })}>
          Search the notes
        </a>
        , <a href={href('memory', [SAMPLE_NAMESPACE])}>look at the memories</a> or{' '}
        <a href={href('brain', [SAMPLE_INDEX])}>follow the links</a>.
      </p>
    </Notice>
  );
}

export function SampleOffer({ onDone }: { readonly onDone: () => void }) {
  return (
    <Empty title="There is no index yet">
      <p>
        An index holds documents. It is made when the first document is stored; from a shell that
        is:
      </p>
      <CodeView label="Command that stores a document" text={storeCommand()} />
      <p>
        Or look around first: a harbour office with notes to search by words and by meaning, links
        between them, and the memories of an assistant.
      </p>
      <SampleButton onDone={onDone} />
    </Empty>
  );
}

function storeCommand(): string {
  return `curl -X POST '${location.origin}/books/_doc' -H 'content-type: application/json' -d '{"title":"The Dispossessed","year":1974}'`;
}

export function SampleButton({ onDone }: { readonly onDone: () => void }) {
  const [step, setStep] = useState<{ readonly label: string; readonly share: number }>();
  const { isRunning, error, run } = useAction(async () => {
    // The texts are not part of the page until somebody wants them.
    const { SAMPLE_STEPS } = await import('./load.js');
    for (const [at, { label, run: load }] of SAMPLE_STEPS.entries()) {
      setStep({ label, share: at / SAMPLE_STEPS.length });
      await load();
    }
    isLoaded.value = true;
    announce('The sample data is loaded');
    onDone();
  });
  return (
    <>
      {error !== undefined && <ErrorBox error={error} />}
      {isRunning && step !== undefined && <Progress label={step.label} value={step.share} />}
      <button type="button" class="primary" disabled={isRunning} onClick={run}>
        Load the sample data
      </button>
    </>
  );
}
