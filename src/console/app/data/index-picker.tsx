// Chooses indexes by an expression: names and patterns between commas. Suggestions are at most a few,
// whatever number of indexes there is.
import { useId, useMemo, useState } from 'preact/hooks';
import { countText } from '../kit/format.js';
import type { IndexRow } from './indexes.js';

const MANY = 8;

export function IndexPicker({
  label,
  value,
  indexes,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly indexes: readonly IndexRow[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const before = value.slice(0, value.lastIndexOf(',') + 1);
  const typed = value.slice(before.length).trim().toLowerCase();
  const suggestions = useMemo(() => suggest(indexes, typed), [indexes, typed]);
  const choose = (name: string): void => {
    onChange(before + name);
    setOpen(false);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const count = suggestions.length;
      if (count > 0) setAt((at + (key === 'ArrowDown' ? 1 : count - 1) + count) % count);
    } else if (key === 'Enter' && isOpen && at >= 0) {
      event.preventDefault();
      choose(suggestions[at]?.name ?? '');
    } else if (key === 'Escape') {
      setOpen(false);
      setAt(-1);
    }
  };
  const isExpanded = isOpen && suggestions.length > 0;
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isExpanded}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isExpanded && at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="all: *"
        value={value}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div id={`${id}-list`} class="options" role="listbox" aria-label={label} hidden={!isExpanded}>
        {suggestions.map(({ name, documents }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          <div
            key={name}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(name)}
          >
            <span>{name}</span> <span class="quiet">{countText(documents)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Names that begin with what is typed come first; hidden ones only where a dot is typed. */
function suggest(indexes: readonly IndexRow[], typed: string): readonly IndexRow[] {
  const first: IndexRow[] = [];
  const others: IndexRow[] = [];
  for (const index of indexes) {
    if (index.isHidden && !typed.startsWith('.')) continue;
    const name = index.name.toLowerCase();
    if (name.startsWith(typed)) first.push(index);
    else if (name.includes(typed)) others.push(index);
    if (first.length === MANY) break;
  }
  return [...first, ...others].slice(0, MANY);
}
