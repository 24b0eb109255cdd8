// What a page says when there is nothing, something is wrong, or work goes on.
import type { ComponentChildren } from 'preact';
import type { RequestError } from './api.js';

/** An empty state that teaches: what would be here, and how to get it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The server's reason, and the remedy. */
export function ErrorBox({
  error,
  onRetry,
}: {
  readonly error: RequestError;
  readonly onRetry?: () => void;
}) {
  return (
    <div class="notice wrong" role="alert">
      <p>
        <strong>{error.status > 0 ? `Error ${error.status}` : 'Error'}</strong>{' '}
        <code>{error.type}</code>
      </p>
      <p>{error.reason}</p>
      {error.remedy !== undefined && <p class="remedy">{error.remedy}</p>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export type NoticeKind = 'good' | 'warning' | 'wrong' | 'info';

export function Notice({
  kind = 'info',
  children,
}: {
  readonly kind?: NoticeKind;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role="status">
      {children}
    </div>
  );
}

/** `value` from 0 to 1; without it the end is unknown. */
export function Progress({ label, value }: { readonly label: string; readonly value?: number }) {
  return (
    <div class="progress" role="status">
      <span>{label}</span>
      {value === undefined ? (
        <progress aria-label={label} />
      ) : (
        <progress aria-label={label} value={value} max={1} />
      )}
    </div>
  );
}

/** A short word with a colour; the word says everything. */
export function Badge({
  kind = 'info',
  children,
}: {
  readonly kind?: NoticeKind;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
