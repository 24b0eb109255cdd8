// Lists of the service that come in pages: the first is loaded like any other data, further ones when
// the user asks for more.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestError } from './api.js';
import { plural } from './format.js';
import { useAction, useLoad } from './load.js';
import { ErrorBox, Progress } from './messages.js';

export interface ItemPage<T> {
  readonly items: readonly T[];
  /** Addresses the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** Number of items of all pages. */
  readonly total: number;
}

export interface Paged<T> {
  readonly items: readonly T[];
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
  readonly more: () => void;
  readonly reload: () => void;
}

interface FurtherPages<T> {
  readonly of: ItemPage<T>;
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** `inputs` are compared like those of useEffect(); when they change, the list begins again. */
export function usePages<T>(
  load: (after: string | undefined, signal?: AbortSignal) => Promise<ItemPage<T>>,
  inputs: readonly unknown[],
): Paged<T> {
  const first = useLoad((signal) => load(undefined, signal), inputs);
  const [further, setFurther] = useState<FurtherPages<T>>();
  const current = further !== undefined && further.of === first.value ? further : undefined;
  const next = current === undefined ? first.value?.next : current.next;
  const action = useAction(async () => {
    if (first.value === undefined || next === undefined) return;
    const page = await load(next);
    const items = [...(current?.items ?? []), ...page.items];
    setFurther({ of: first.value, items, next: page.next });
  });
  return {
    items: [...(first.value?.items ?? []), ...(current?.items ?? [])],
    total: first.value?.total,
    hasMore: next !== undefined,
    isLoading: first.isLoading || action.isRunning,
    error: first.error ?? action.error,
    more: action.run,
    reload: first.reload,
  };
}

/** The items once the first page is there, and a button for more. */
export function PagedView<T>({
  of,
  what,
  one,
  children,
}: {
  readonly of: Paged<T>;
  /** What is loaded, for example "memories". */
  readonly what: string;
  /** A single item, for example "memory". */
  readonly one: string;
  readonly children: (items: readonly T[]) => ComponentChildren;
}) {
  const { items, total, hasMore, isLoading, error, more, reload } = of;
  return (
    <>
      {error !== undefined && <ErrorBox error={error} onRetry={reload} />}
      {total !== undefined && children(items)}
      {isLoading && <Progress label={`Loading ${what}`} />}
      {hasMore && !isLoading && (
        <div class="actions">
          <button type="button" onClick={more}>
            Show more
          </button>
          <span class="quiet">
            {items.length} of {plural(total ?? 0, one, what)}
          </span>
        </div>
      )}
    </>
  );
}
