// What every view of a namespace is given.
export interface ViewProps {
  readonly namespace: string;
  /** Increases when memories were changed. */
  readonly version: number;
  /** Shows one memory. */
  readonly onOpen: (id: string) => void;
  readonly onChanged: () => void;
}
