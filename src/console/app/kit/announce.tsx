// Short messages to screen readers: "24 hits", "The index was dropped".
import { signal } from '@preact/signals';

const message = signal('');

/** Repeating a message makes it be read again. */
export function announce(text: string): void {
  message.value = message.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <div class="visually-hidden" aria-live="polite">
      {message.value}
    </div>
  );
}
