// Data of the service in components: loaded when they appear or their inputs change, again on
// request, and repeatedly while the tab is visible.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type RequestError, toRequestError } from './api.js';
import { ErrorBox, Progress } from './messages.js';

export interface Loaded<T> {
  /** The latest value; kept while it is loaded again, and if that fails. */
  readonly value: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface LoadOptions<T> {
  /** Milliseconds after which the value is loaded again, while the tab is visible. */
  readonly everyMs?: number;
  /** False: such a value is not loaded again. */
  readonly repeats?: (value: T) => boolean;
}

/** `inputs` are compared like those of useEffect(); `load` is called when they change. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { everyMs, repeats }: LoadOptions<T> = {},
): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      setState((before) => ({ ...before, isLoading: true }));
      try {
        const value = await latest.current(abort.signal);
        if (abort.signal.aborted) return;
        setState({ value, error: undefined, isLoading: false });
        if (repeats?.(value) === false) return;
      } catch (thrown) {
        if (abort.signal.aborted) return;
        const error = toRequestError(thrown);
        setState((before) => ({ ...before, error, isLoading: false }));
      }
      if (everyMs !== undefined && !abort.signal.aborted) timer = setTimeout(next, everyMs);
    };
    const next = (): void => {
      if (document.visibilityState === 'visible') void run();
      else
        document.addEventListener('visibilitychange', next, { once: true, signal: abort.signal });
    };
    void run();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [...inputs, round, everyMs]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}

/** The value once it is there; before that, progress or the error. */
export function LoadedView<T>({
  of: { value, error, isLoading, reload },
  what,
  children,
}: {
  readonly of: Loaded<T>;
  /** What is loaded, for example "the list of indexes". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  return (
    <>
      {error !== undefined && <ErrorBox error={error} onRetry={reload} />}
      {value === undefined ? isLoading && <Progress label={`Loading ${what}`} /> : children(value)}
    </>
  );
}

export interface Action {
  readonly isRunning: boolean;
  readonly error: RequestError | undefined;
  readonly run: () => void;
  readonly clear: () => void;
}

/** An action that the user starts: a button shows `isRunning`, an ErrorBox shows `error`. */
export function useAction(act: () => Promise<void>): Action {
  const [state, setState] = useState<{ isRunning: boolean; error: RequestError | undefined }>({
    isRunning: false,
    error: undefined,
  });
  const run = (): void => {
    if (state.isRunning) return;
    setState({ isRunning: true, error: undefined });
    act().then(
      () => setState({ isRunning: false, error: undefined }),
      (thrown: unknown) => setState({ isRunning: false, error: toRequestError(thrown) }),
    );
  };
  return { ...state, run, clear: () => setState({ isRunning: false, error: undefined }) };
}
