// Named amounts as bars. Widths are attributes of SVG, since the page allows no inline style.
import type { ComponentChildren } from 'preact';
import { numberText } from './format.js';

export interface BarItem {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number;
  /** The value as text; by default three digits of it. */
  readonly text?: string;
}

/** `share` from 0 to 1; a negative amount has a bar of another colour. */
export function Bar({ share }: { readonly share: number }) {
  const width = Math.min(1, Math.abs(share)) * 100;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-room" width="100" height="8" />
      <rect class={share < 0 ? 'bar-negative' : 'bar-amount'} width={width} height="8" />
    </svg>
  );
}

export function Bars({
  label,
  items,
  most = Math.max(0, ...items.map(({ value }) => Math.abs(value))),
}: {
  readonly label: string;
  readonly items: readonly BarItem[];
  /** The amount whose bar is full. */
  readonly most?: number;
}) {
  return (
    <ul class="bars" aria-label={label}>
      {items.map(({ key, label: name, value, text = numberText(value) }) => (
        <li key={key}>
          <span class="bars-label">{name}</span>
          <Bar share={most === 0 ? 0 : value / most} />
          <span class="bars-value">{text}</span>
        </li>
      ))}
    </ul>
  );
}
