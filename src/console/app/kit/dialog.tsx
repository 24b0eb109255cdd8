// Dialogs are native <dialog>: the browser keeps the focus inside and closes them by Escape.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Field } from './field.js';
import { useAction } from './load.js';
import { ErrorBox } from './messages.js';

/** Shown as long as it is rendered. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    if (current?.open === false) current.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something is changed for good. `word`: what has to be typed; none: a click is enough. */
export function ConfirmDialog({
  title,
  word,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly word?: string;
  /** The text of the button: "Drop the index". */
  readonly action: string;
  /** The dialog is closed once it has resolved, and shows the error if it rejects. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const [typed, setTyped] = useState('');
  const { isRunning, error, run } = useAction(async () => {
    await onConfirm();
    onClose();
  });
  const isConfirmed = word === undefined || typed === word;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) run();
        }}
      >
        {children}
        {word !== undefined && (
          <Field
            label={
              <>
                Type <code>{word}</code> to confirm
              </>
            }
          >
            {(id) => (
              <input
                id={id}
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        {error !== undefined && <ErrorBox error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={!isConfirmed || isRunning}>
            {isRunning ? 'Working …' : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
