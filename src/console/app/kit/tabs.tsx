// Tabs after the pattern of WAI-ARIA: arrow keys choose, one stop of the tab key.
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly content: () => ComponentChildren;
}

export function Tabs({
  label,
  tabs,
  current,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Name of the tab that is shown; the first one if there is none of that name. */
  readonly current: string | null | undefined;
  readonly onChange: (name: string) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = tabs.findIndex(({ name }) => name === current);
  const at = Math.max(0, found);
  const move = (to: number): void => {
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${CSS.escape(next.name)}"]`)?.focus();
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowRight') move(at + 1);
    else if (key === 'ArrowLeft') move(at - 1);
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }, i) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-name={name}
            aria-selected={i === at}
            aria-controls={`${id}-panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]?.name}`}>
        {tabs[at]?.content()}
      </div>
    </div>
  );
}
