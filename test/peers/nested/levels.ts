// The levels of the documents: the whole one, and every path of nested ones, with their fields.

export interface Level {
  /** Empty for the whole document. */
  readonly path: string;
  readonly keywords: readonly string[];
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** The paths of what is nested inside, at any depth. */
  readonly inside: readonly string[];
  /** The paths around it, without that of the whole document. */
  readonly around: readonly string[];
}

const PATHS = ['c', 'c.r', 'c.r.x', 'o.p', 'i'];

const level = (path: string, more: Partial<Level> = {}): Level => ({
  path,
  keywords: [`${path}.who`],
  numbers: [`${path}.n`],
  texts: [],
  inside: PATHS.filter((other) => other.startsWith(`${path}.`)),
  around: PATHS.filter((other) => path.startsWith(`${other}.`)),
  ...more,
});

const ALL: readonly Level[] = [
  {
    path: '',
    // Those of `i` are included in the root.
    keywords: ['tag', 'tag', 'i.who'],
    numbers: ['n', 'n', 'i.n'],
    texts: ['title', 'title', 'i.text'],
    inside: PATHS,
    around: [],
  },
  level('c', { numbers: ['c.n', 'c.price'], texts: ['c.text'] }),
  level('c.r', { texts: ['c.r.text'] }),
  level('c.r.x'),
  level('o.p'),
  level('i', { texts: ['i.text'] }),
];

export function levelAt(path: string): Level {
  const found = ALL.find((one) => one.path === path);
  if (found === undefined) throw new Error(`there is no level ${path}`);
  return found;
}
