// What the service and the process of a sentence model send each other.
import type { ModelFiles } from './model-manifest.js';

export type ToModel =
  | {
      readonly kind: 'load';
      readonly folder: string;
      readonly files: ModelFiles;
      /** The folder in which onnxruntime-node is looked for. */
      readonly runtimeDir: string;
      readonly threads: number;
    }
  | { readonly kind: 'embed'; readonly texts: readonly string[] };

export type FromModel =
  | { readonly kind: 'loaded'; readonly dims: number }
  | {
      readonly kind: 'embedded';
      /** One for each text: its vector, or why it has none. */
      readonly results: readonly (Float32Array<ArrayBuffer> | string)[];
    }
  | { readonly kind: 'failed'; readonly why: string };
