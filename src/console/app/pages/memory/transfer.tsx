// A namespace as a file, and back.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, callText, path } from '../../kit/api.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Field } from '../../kit/field.js';
import { bytesText, plural } from '../../kit/format.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox, Notice, Progress } from '../../kit/messages.js';
import { go } from '../../kit/router.js';
import type { ViewProps } from './view-props.js';

type Counts = Readonly<Record<'created' | 'merged' | 'unchanged', number>>;
interface ImportAnswer {
  readonly memories: Counts;
  readonly links: Counts;
  readonly suggestions: Counts;
}

export function TransferView({ namespace, onChanged }: ViewProps) {
  const [isDropping, setDropping] = useState(false);
  return (
    <div class="grid">
      <Export namespace={namespace} />
      <Import namespace={namespace} onChanged={onChanged} />
      <section class="panel">
        <h3>Drop</h3>
        <p>Drops the namespace with all its memories and links.</p>
        <button type="button" class="danger" onClick={() => setDropping(true)}>
          Drop the namespace
        </button>
      </section>
      {isDropping && (
        <ConfirmDialog
          title="Drop the namespace"
          word={namespace}
          action="Drop it for good"
          onClose={() => setDropping(false)}
          onConfirm={async () => {
            await call('DELETE', path`/_memory/${namespace}`);
            announce('The namespace was dropped');
            go('memory');
          }}
        >
          <p>Its memories, links and settings are removed and cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Export({ namespace }: { readonly namespace: string }) {
  const [size, setSize] = useState<number>();
  const { isRunning, error, run } = useAction(async () => {
    const text = await callText('GET', path`/_memory/${namespace}/_export`);
    const blob = new Blob([text], { type: 'application/x-ndjson' });
    const url = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = `${namespace}.ndjson`;
    link.click();
    URL.revokeObjectURL(url);
    setSize(blob.size);
  });
  return (
    <section class="panel">
      <h3>Export</h3>
      <p>
        Settings, memories, links with their history and suggestions, as lines of JSON. The same
        state gives the same bytes.
      </p>
      <button type="button" disabled={isRunning} onClick={run}>
        Export to a file
      </button>
      {isRunning && <Progress label="Reading the namespace" />}
      {error !== undefined && <ErrorBox error={error} />}
      {size !== undefined && <Notice kind="good">{`${bytesText(size)} were exported.`}</Notice>}
    </section>
  );
}

function Import({
  namespace,
  onChanged,
}: {
  readonly namespace: string;
  readonly onChanged: () => void;
}) {
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const { isRunning, error, run } = useAction(async () => {
    if (file === undefined) return;
    const lines = await file.text();
    setAnswer(await call<ImportAnswer>('POST', path`/_memory/${namespace}/_import`, lines));
    onChanged();
  });
  return (
    <section class="panel">
      <h3>Import</h3>
      <p>
        Merges the lines of an export. Every line is checked before the first is written, and
        repeating it changes nothing.
      </p>
      <Field label="File">
        {(id) => (
          <input
            id={id}
            type="file"
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <button type="button" disabled={isRunning || file === undefined} onClick={run}>
        Import
      </button>
      {isRunning && <Progress label="Importing" />}
      {error !== undefined && <ErrorBox error={error} />}
      {answer !== undefined && (
        <Notice kind="good">
          {plural(answer.memories.created, 'memory', 'memories')} created, {answer.memories.merged}{' '}
          merged, {answer.memories.unchanged} unchanged; {plural(answer.links.created, 'link')}{' '}
          created
        </Notice>
      )}
    </section>
  );
}
