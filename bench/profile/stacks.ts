// Reads sampled stacks of perf and of V8: outermost frames first, with the number of samples (perf)
// or the time (V8) of each.

export interface Stack {
  readonly frames: readonly string[];
  readonly weight: number;
}

/**
 * Parses the output of `perf script -F comm,pid,tid,ip,sym,dso`: a sample is a head and its frames,
 * innermost first, followed by an empty line.
 */
export function readPerf(text: string, pids: ReadonlySet<number>): readonly Stack[] {
  const stacks: Stack[] = [];
  for (const sample of text.split('\n\n')) {
    const [head = '', ...lines] = sample.split('\n').filter((line) => line.trim() !== '');
    const [, pid, tid] = /\s(\d+)\/(\d+)\s*$/.exec(head) ?? [];
    if (pid === undefined || !pids.has(Number(pid))) continue;
    const thread = pid === tid ? 'main thread' : 'pool and helper threads';
    const frames = lines.map(frameOfPerf).reverse();
    stacks.push({ frames: [thread, ...frames], weight: 1 });
  }
  return stacks;
}

/** `	 17a6ad1 name of it (/path/of.so)`. */
function frameOfPerf(line: string): string {
  const [, name = '', file = ''] = /^\s*[0-9a-f]+ (.*) \((.*?)\)$/.exec(line) ?? [];
  if (name.startsWith('JS:')) return shortScript(name.replace(/^JS:[*^~]?/, ''));
  if (name === '[unknown]' || name === '') return `? (${baseName(file)})`;
  const plain = plainName(name);
  return file.endsWith('addon.node') ? `core: ${plain}` : plain;
}

/** The name of a C++ function without parameters and template arguments, which are long. */
function plainName(name: string): string {
  let plain = name.replaceAll('(anonymous namespace)::', '');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replaceAll(/<[^<>]*>/g, '');
  }
  return plain.replace(/\(.*$/, '');
}

/** `read file:///somewhere/dist/wire/hits-reader.js:37:16` -> `read dist/wire/hits-reader.js`. */
function shortScript(name: string): string {
  const [, what = '', where = ''] = /^(.*?) ?(\S*?)(?::\d+)*$/.exec(name) ?? [];
  const short = where.replace(/^file:\/\//, '').replace(/^.*\/(dist|node_modules)\//, '$1/');
  return `${what === '' ? 'anonymous' : what} ${short}`.trim();
}

function baseName(file: string): string {
  return file.split('/').at(-1) ?? file;
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Parses a .cpuprofile, in microseconds. Native code called from JavaScript appears as the function
 * of the addon.
 */
export function readCpuProfile(text: string): readonly Stack[] {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children }) => (children ?? []).map((child) => [child, id] as const)),
  );
  const path = (id: number | undefined): string[] => {
    const node = id === undefined ? undefined : byId.get(id);
    if (node === undefined) return [];
    const { functionName, url } = node.callFrame;
    return [...path(parents.get(node.id)), shortScript(`${functionName} ${url}`)];
  };
  return samples
    .map((id, i) => ({ frames: path(id), weight: timeDeltas[i] ?? 0 }))
    .filter(({ frames }) => !frames.some((frame) => frame === '(idle)' || frame === '(program)'));
}
