// Which files belong together: prose, code, mail and logs each in one index, tables and records by the fields they share.
import { basename } from 'node:path';
import type { Fields } from './infer.js';
import type { Family } from './journal.js';

/** A part with what its first records have shown. */
export interface Sample {
  readonly path: string;
  readonly family: Family;
  readonly fields: Fields;
}

/** A dataset that is to be: its samples are what it is made of. */
export interface Cluster {
  readonly name: string;
  readonly family: Family;
  readonly fields: Fields;
}

/** Fields of one that the other has, of all that either has. */
const ALIKE = 0.6;
const MAX_NAME = 100;

/** Finds or makes the cluster of each sample, in their order: the same samples, the same clusters. */
export class Clusters {
  readonly all: Cluster[];
  readonly #taken: Set<string>;

  constructor(datasets: Iterable<Cluster>) {
    this.all = [...datasets].map(({ name, family, fields }) => ({ name, family, fields }));
    this.#taken = new Set(this.all.map(({ name }) => name));
  }

  /** To try on. */
  copy(): Clusters {
    return new Clusters(this.all);
  }

  /** The name of the cluster, which has the sample's fields from now on. */
  place(sample: Sample): string {
    const best = this.#nearest(sample);
    if (best < 0) {
      const name = this.#freeName(
        sample.family === 'records' ? stemOf(sample.path) : sample.family,
      );
      this.all.push({ name, family: sample.family, fields: sample.fields });
      return name;
    }
    const cluster = this.all[best] as Cluster;
    this.all[best] = { ...cluster, fields: joined(cluster.fields, sample.fields) };
    return cluster.name;
  }

  #nearest(sample: Sample): number {
    let best = -1;
    let most = 0;
    for (const [i, cluster] of this.all.entries()) {
      if (cluster.family !== sample.family) continue;
      if (sample.family !== 'records') return i;
      const alike = likeness(cluster.fields, sample.fields);
      if (alike >= ALIKE && alike > most) {
        best = i;
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

function likeness(a: Fields, b: Fields): number {
  const names = Object.keys(a);
  const others = Object.keys(b);
  const both = names.filter((name) => name in b).length;
  return both / (names.length + others.length - both || 1);
}

/** Types that differ become one that holds both; what has no such type is words. */
export function joined(a: Fields, b: Fields): Fields {
  const fields: Record<string, Fields[string]> = { ...a };
  for (const [path, field] of Object.entries(b)) {
    const before = fields[path];
    if (before === undefined) fields[path] = field;
    else if (before.type !== field.type || before.format !== field.format) {
      const types = [before.type, field.type];
      if (types.every((type) => type === 'long' || type === 'double')) {
        fields[path] = { ...before, type: 'double' };
      } else {
        const type = types.includes('text') ? 'text' : 'keyword';
        const { examples } = before;
        fields[path] = { type, role: type === 'text' ? 'label' : 'category', examples };
      }
    }
  }
  return fields;
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
