// Which files belong together: prose, code, mail and logs each in one index, tables and records by the fields they share.
import { basename } from 'node:path';
import { ancestorsOf, type Fields, type Inference } from './infer.js';
import type { Family } from './journal.js';

/** A part with what its first records have shown. */
export interface Sample {
  readonly path: string;
  readonly family: Family;
  readonly inference: Inference;
  /** Goes with what has its name alone, however much it is like another. */
  readonly apart?: boolean;
}

/** What is known of a dataset before this run. */
export interface StoredDataset {
  readonly name: string;
  readonly family: Family;
  readonly fields: Fields;
}

/** A dataset that is, or is to be. */
export class Cluster {
  readonly name: string;
  readonly family: Family;
  /** Paths of fields, and what they begin with. */
  readonly names: Set<string>;
  readonly tops: Set<string>;
  readonly #known: Fields;
  readonly #inference: Inference | undefined;

  constructor({ name, family, fields }: StoredDataset, inference: Inference | undefined) {
    this.name = name;
    this.family = family;
    this.names = new Set(Object.keys(fields));
    this.tops = new Set([...this.names].map(topOf));
    this.#known = fields;
    this.#inference = inference;
  }

  /** Types that were given stay; a path that is inside of such a value, or around it, gets none. */
  get fields(): Fields {
    const inferred = Object.entries(this.#inference?.fields() ?? {});
    const around = new Set(Object.keys(this.#known).flatMap(ancestorsOf));
    const fits = (path: string): boolean =>
      !around.has(path) && !ancestorsOf(path).some((above) => Object.hasOwn(this.#known, above));
    return { ...Object.fromEntries(inferred.filter(([path]) => fits(path))), ...this.#known };
  }

  add(inference: Inference): void {
    this.note(inference.names());
    if (inference !== this.#inference) this.#inference?.merge(inference);
  }

  note(names: Iterable<string>): void {
    for (const name of names) {
      this.names.add(name);
      this.tops.add(topOf(name));
    }
  }
}

/** Fields of one that the other has, of all that either has. */
const ALIKE = 0.6;
const MAX_NAME = 100;

/** Finds or makes the cluster of each sample, in their order: the same samples, the same clusters. */
export class Clusters {
  readonly all: Cluster[];
  readonly #taken: Set<string>;
  readonly #trial: boolean;

  /** `newInference`: collects what samples of a known dataset show. A trial collects nothing. */
  constructor(known: Iterable<StoredDataset>, newInference: (() => Inference) | undefined) {
    this.all = [...known].map((one) => new Cluster(one, newInference?.()));
    this.#taken = new Set(this.all.map(({ name }) => name));
    this.#trial = newInference === undefined;
  }

  /** To try on: the same names, nothing is learned. */
  copy(): Clusters {
    const trial = new Clusters(
      this.all.map(({ name, family }) => ({ name, family, fields: {} })),
      undefined,
    );
    for (const [i, { names }] of this.all.entries()) trial.all[i]?.note(names);
    return trial;
  }

  /** True when there is one that the sample would come to. */
  knows({ family, inference }: Sample): boolean {
    return this.#nearest(family, inference.names()) !== undefined;
  }

  /** The name of the cluster, which has the sample's fields from now on. */
  place({ path, family, inference, apart }: Sample): string {
    const only = apart === true ? stemOf(path) : undefined;
    const near = this.#nearest(family, inference.names(), only);
    if (near !== undefined) {
      near.add(inference);
      return near.name;
    }
    const name = this.#freeName(family === 'records' ? stemOf(path) : family);
    const made = new Cluster({ name, family, fields: {} }, this.#trial ? undefined : inference);
    made.add(inference);
    this.all.push(made);
    return name;
  }

  /** `only`: of those that have been given this name. */
  #nearest(family: Family, names: readonly string[], only?: string): Cluster | undefined {
    if (family !== 'records') return this.all.find((cluster) => cluster.family === family);
    const tops = new Set(names.map(topOf));
    let best: Cluster | undefined;
    let most = 0;
    for (const cluster of this.all) {
      if (cluster.family !== family) continue;
      if (only !== undefined && cluster.name.replace(/-\d+$/, '') !== only) continue;
      const alike = Math.max(likeness(cluster.names, names), likeness(cluster.tops, [...tops]));
      if (alike >= ALIKE && alike > most) {
        best = cluster;
        most = alike;
      }
    }
    return best;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let i = 2; this.#taken.has(name); i++) name = `${wanted}-${i}`;
    this.#taken.add(name);
    return name;
  }
}

function topOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

/** `others`: without repetition. */
function likeness(names: ReadonlySet<string>, others: readonly string[]): number {
  const both = others.filter((name) => names.has(name)).length;
  return both / (names.size + others.length - both || 1);
}

/** `data/orders-2024-01.csv` -> `orders`; a name of numbers alone leaves it to its folder. */
function stemOf(path: string): string {
  const parts = path.split('/');
  const file = basename(path).replace(/(?:\.[A-Za-z]{1,8}[0-9]?){1,2}$/, '');
  const folder = parts.at(-2) ?? '';
  return plainName(file) || plainName(folder) || 'records';
}

/** As part of the name of an index. */
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/(?:^|-)\d+(?=-|$)/g, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
}
