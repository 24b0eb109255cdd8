// The part of onnxruntime-node that sentence models need. It is no dependency (288 MB): the operator
// installs it, and it is loaded from there.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { PACKAGE_FOLDER } from '../../base/package.js';

export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

export interface Runtime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<Session>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

const PACKAGE = 'onnxruntime-node';

/**
 * Where the runtime is looked for, there and in the folders above. `configured` is empty if the
 * configuration names none: that of the program, beside which packages are installed.
 */
export function runtimeFolder(configured: string): string {
  return configured === '' ? PACKAGE_FOLDER : resolve(configured);
}

/** Throws an error that says how to install it. */
export function loadRuntime(folder: string): Runtime {
  const requireThere = createRequire(join(folder, 'package.json'));
  let path: string;
  try {
    path = requireThere.resolve(PACKAGE);
  } catch {
    throw new Error(
      `needs ${PACKAGE}, which is not in [${folder}]: run "npm install ${PACKAGE}" there, ` +
        'or name the folder where it is installed in [inference.runtime_dir]',
    );
  }
  try {
    return requireThere(path) as Runtime;
  } catch (error) {
    const why = (error as Error).message.split('\n', 1)[0] ?? '';
    throw new Error(`needs ${PACKAGE}, and the one in [${path}] does not load: ${why}`);
  }
}
