// Messages between the Brain page and the worker that computes its layout.

export interface LayoutRequest {
  /** A later request replaces an earlier one. */
  readonly version: number;
  /** x and y of each node. */
  readonly positions: Float32Array;
  /** The numbers of the two nodes of each link. */
  readonly ends: Uint32Array;
  readonly weights: Float32Array;
  readonly rounds: number;
}

export interface LayoutResult {
  readonly version: number;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly isDone: boolean;
}
