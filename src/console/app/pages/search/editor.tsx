// The request as text, editable, with completion of fields and clauses.
import { useId, useRef, useState } from 'preact/hooks';
import type { Field } from '../../data/mapping.js';
import { type Completion, complete } from './completion.js';

export function RequestEditor({
  label,
  text,
  fields,
  onChange,
  onRun,
}: {
  readonly label: string;
  readonly text: string;
  readonly fields: readonly Field[];
  readonly onChange: (text: string) => void;
  /** Ctrl+Enter. */
  readonly onRun: () => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [at, setAt] = useState(0);
  const look = (): void => {
    const { current } = area;
    if (current === null) return;
    setCompletion(complete(current.value, current.selectionEnd, fields));
    setAt(0);
  };
  const take = (index: number): void => {
    const { current } = area;
    const chosen = completion?.suggestions[index];
    if (completion === undefined || chosen === undefined || current === null) return;
    current.setRangeText(chosen.text, completion.from, completion.to, 'end');
    onChange(current.value);
    setCompletion(undefined);
    current.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey } = event;
    if (key === 'Enter' && (ctrlKey || metaKey)) {
      event.preventDefault();
      onRun();
    } else if (key === ' ' && ctrlKey) {
      event.preventDefault();
      look();
    } else if (completion !== undefined) {
      const count = completion.suggestions.length;
      if (key === 'ArrowDown') setAt((at + 1) % count);
      else if (key === 'ArrowUp') setAt((at + count - 1) % count);
      else if (key === 'Enter') take(at);
      else if (key === 'Escape') setCompletion(undefined);
      else return;
      event.preventDefault();
    }
  };
  return (
    <div class="editor">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={area}
        class="code-input"
        rows={16}
        spellcheck={false}
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={completion === undefined ? undefined : `${id}-${at}`}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          look();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCompletion(undefined)}
      />
      <div
        id={`${id}-list`}
        class="options"
        role="listbox"
        aria-label="Names that fit"
        hidden={completion === undefined}
      >
        {completion?.suggestions.map(({ text: name, about }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the text area keeps the focus
          <div
            key={name}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(i)}
          >
            <code>{name}</code> <span class="quiet">{about}</span>
          </div>
        ))}
      </div>
      <p class="hint" id={`${id}-hint`}>
        Within quotes, fields and clauses are completed: arrow keys and Enter choose, Ctrl+Space
        asks. Ctrl+Enter runs the request.
      </p>
    </div>
  );
}
