export interface Unit {
  readonly name: string;
  readonly files: readonly string[];
}

export function readUnits(text: string): Unit[];
