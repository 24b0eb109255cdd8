// Stores a memory, also one that supersedes others.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { Dialog } from '../../kit/dialog.js';
import { Field } from '../../kit/field.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox } from '../../kit/messages.js';
import { JsonField, readJsonObject } from './json-field.js';

export function StoreDialog({
  namespace,
  onStored,
  onClose,
}: {
  /** Undefined: the user names one. */
  readonly namespace?: string;
  readonly onStored: (namespace: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(namespace ?? '');
  return (
    <Dialog title="Store a memory" onClose={onClose}>
      {namespace === undefined && (
        <Field label="Namespace" hint="Small letters, digits, [_], [-] and [.]">
          {(id, hintId) => (
            <input
              id={id}
              autocomplete="off"
              spellcheck={false}
              aria-describedby={hintId}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <StoreForm
        namespace={name}
        action="Store"
        onDone={() => {
          onStored(name);
          onClose();
        }}
      />
    </Dialog>
  );
}

export function StoreForm({
  namespace,
  supersedes = [],
  text: initialText = '',
  metadata: initialMetadata = '',
  action,
  onDone,
}: {
  readonly namespace: string;
  readonly supersedes?: readonly string[];
  readonly text?: string;
  readonly metadata?: string;
  readonly action: string;
  readonly onDone: () => void;
}) {
  const [text, setText] = useState(initialText);
  const [metadata, setMetadata] = useState(initialMetadata);
  const { isRunning, error, run } = useAction(async () => {
    const tags = readJsonObject(metadata, 'The metadata');
    await call('POST', path`/_memory/${namespace}`, {
      text,
      ...(tags === undefined ? {} : { metadata: tags }),
      ...(supersedes.length === 0 ? {} : { supersedes }),
    });
    announce('The memory was stored');
    onDone();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Field label="Text">
        {(id) => (
          <textarea
            id={id}
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <JsonField
        label="Metadata (JSON, may be empty)"
        hint="session links memories in order; speaker and said_at are found with the text."
        value={metadata}
        onChange={setMetadata}
      />
      {error !== undefined && <ErrorBox error={error} />}
      <div class="actions">
        <button
          type="submit"
          class="primary"
          disabled={isRunning || text.trim() === '' || namespace.trim() === ''}
        >
          {isRunning ? 'Storing …' : action}
        </button>
      </div>
    </form>
  );
}
