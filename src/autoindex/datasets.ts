// Groups files into datasets: prose, code, mail and logs in one index each, tables and records by
// the fields they share.
import { basename } from 'node:path';
import { ancestorsOf, type Fields, type Inference } from './infer.js';
import type { Family } from './journal.js';

/** A part with the fields of its first records. */
export interface Sample {
  readonly path: string;
  readonly family: Family;
  readonly inference: Inference;
  /** Joins only a cluster of the same name, however similar it is to another. */
  readonly apart?: boolean;
}

/** A dataset of an earlier run. */
export interface StoredDataset {
  readonly name: string;
  readonly family: Family;
  readonly fields: Fields;
}

/** An existing or a new dataset. */
export class Cluster {
  readonly name: string;
  readonly family: Family;
  /** Paths of fields, and their first segments. */
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

  /**
   * Types of stored fields are kept. A path inside such a value, or one that contains it, gets no
   * type.
   */
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

/** Minimum share of common fields in the union of the fields of both. */
const ALIKE = 0.6;
const MAX_NAME = 100;

/**
 * Finds or creates the cluster of each sample, in their order; the result depends only on the
 * samples.
 */
export class Clusters {
  readonly all: Cluster[];
  readonly #taken: Set<string>;
  readonly #trial: boolean;

  /**
   * `newInference` creates the collector of the fields of samples for a stored dataset; undefined
   * for a trial, which collects nothing.
   */
  constructor(known: Iterable<StoredDataset>, newInference: (() => Inference) | undefined) {
    this.all = [...known].map((one) => new Cluster(one, newInference?.()));
    this.#taken = new Set(this.all.map(({ name }) => name));
    this.#trial = newInference === undefined;
  }

  /** A copy for a trial: the same names and no collected fields. */
  copy(): Clusters {
    const trial = new Clusters(
      this.all.map(({ name, family }) => ({ name, family, fields: {} })),
      undefined,
    );
    for (const [i, { names }] of this.all.entries()) trial.all[i]?.note(names);
    return trial;
  }

  /** True if there is a cluster that the sample would join. */
  knows({ family, inference }: Sample): boolean {
    return this.#nearest(family, inference.names()) !== undefined;
  }

  /** Adds the sample to its cluster and returns the name of the cluster. */
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

  /** `only`: restricts the search to clusters of this name, with or without a number. */
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

/** Jaccard similarity of the names. `others`: without duplicates. */
function likeness(names: ReadonlySet<string>, others: readonly string[]): number {
  const both = others.filter((name) => names.has(name)).length;
  return both / (names.size + others.length - both || 1);
}

/** `data/orders-2024-01.csv` -> `orders`; for a name of digits only, the name of the folder. */
function stemOf(path: string): string {
  const parts = path.split('/');
  const file = basename(path).replace(/(?:\.[A-Za-z]{1,8}[0-9]?){1,2}$/, '');
  const folder = parts.at(-2) ?? '';
  return plainName(file) || plainName(folder) || 'records';
}

/** A form of the text that is valid as a part of an index name. */
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/(?:^|-)\d+(?=-|$)/g, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
}
