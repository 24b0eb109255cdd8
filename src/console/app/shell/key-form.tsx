// Where the key is typed, once for each tab.
import { useState } from 'preact/hooks';
import { call, type RequestError, toRequestError } from '../kit/api.js';
import { Field } from '../kit/field.js';
import { ErrorBox } from '../kit/messages.js';
import { changeKey, objectionToKey, session } from '../kit/session.js';

export function KeyForm({ onDone }: { readonly onDone?: () => void }) {
  const [typed, setTyped] = useState('');
  const [objection, setObjection] = useState<string>();
  const [error, setError] = useState<RequestError>();
  const submit = async (): Promise<void> => {
    const key = typed.trim();
    const found = objectionToKey(key);
    setObjection(found);
    if (found !== undefined) return;
    changeKey(key);
    try {
      await call('GET', '/');
      onDone?.();
    } catch (thrown) {
      setError(toRequestError(thrown));
    }
  };
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Key"
        hint="It stays in this tab and is sent to this service alone. Close the tab, or forget it here, and it is gone."
      >
        {(id, hintId) => (
          <input
            id={id}
            type="password"
            autocomplete="off"
            spellcheck={false}
            aria-describedby={hintId}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      {objection !== undefined && (
        <p class="notice wrong" role="alert">
          {objection}
        </p>
      )}
      {error !== undefined && <ErrorBox error={error} />}
      <div class="actions">
        {session.value.key !== undefined && (
          <button type="button" onClick={() => changeKey(undefined)}>
            Forget the key
          </button>
        )}
        <button type="submit" class="primary">
          Use this key
        </button>
      </div>
    </form>
  );
}

/** Stands in the place of a page that the service refused to fill. */
export function KeyRequired() {
  return (
    <section class="panel narrow">
      <h2>
        {session.value.key === undefined ? 'This service needs a key' : 'The key was refused'}
      </h2>
      <p>
        Make one on the machine of the service, for example{' '}
        <code>quarry keys create --name me --privileges read</code>, and type it here.
      </p>
      <KeyForm />
    </section>
  );
}
