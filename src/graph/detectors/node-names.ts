// The names of a brain's documents: ids, titles, aliases, permalinks, paths, addresses, numbers and
// keys. A name that two documents share resolves to neither.
import type { NodeDocument } from './document.js';

/** Name -> the one document of that name; null when there are several. */
type Names = Map<string, string | null>;

const HASH = /^[0-9a-f]{7,64}$/;
const SHORTEST_HASH = 7;

export class NodeNames {
  readonly #ids = new Set<string>();
  /** Looked up in this order: the first that contains a name decides. */
  readonly #tiers = {
    ids: new Map(),
    titles: new Map(),
    aliases: new Map(),
    permalinks: new Map(),
    tails: new Map(),
  } satisfies Record<string, Names>;
  readonly #urls: Names = new Map();
  readonly #keys: Names = new Map();
  readonly #hashes: { readonly hash: string; readonly id: string }[] = [];
  /** By position in the sorted hashes: the position of the next hash of another document. */
  #others = new Uint32Array(0);
  #sorted = true;

  get size(): number {
    return this.#ids.size;
  }
  /** Every title and alias with the document that it names, without the ambiguous ones. */
  *names(): Generator<readonly [name: string, id: string]> {
    for (const tier of [this.#tiers.titles, this.#tiers.aliases])
      for (const [name, id] of tier) if (id !== null) yield [name, id];
  }

  /** Adding a document again adds its new names and keeps the old ones. */
  add(document: NodeDocument): void {
    const { id, titles, aliases, permalinks, paths, urls, keys } = document;
    this.#ids.add(id);
    put(this.#tiers.ids, plain(id), id);
    for (const title of titles) put(this.#tiers.titles, plain(title), id);
    for (const alias of aliases) put(this.#tiers.aliases, plain(alias), id);
    for (const title of titles) put(this.#tiers.permalinks, slug(title), id);
    for (const link of [...permalinks, ...paths]) put(this.#tiers.permalinks, path(link), id);
    for (const one of [id, ...permalinks, ...paths]) put(this.#tiers.tails, tail(one), id);
    for (const url of [...urls, ...permalinks.filter(isUrl), id].filter(isUrl))
      put(this.#urls, address(url), id);
    for (const key of [id, ...keys, ...titles.map(leadingKey)]) {
      for (const name of keyNames(key)) put(this.#keys, name, id);
      if (HASH.test(key)) {
        this.#hashes.push({ hash: key, id });
        this.#sorted = false;
      }
    }
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
  /** Looks up by id, title, alias, permalink and last segment of a path, in this order. */
  byName(name: string): string | undefined {
    if (this.#ids.has(name)) return name;
    const { ids, titles, aliases, permalinks, tails } = this.#tiers;
    const lookups: readonly (readonly [Names, string])[] = [
      [ids, plain(name)],
      [titles, plain(name)],
      [aliases, plain(name)],
      [permalinks, path(name)],
      [tails, tail(name)],
    ];
    for (const [tier, key] of lookups) {
      const id = key === '' ? undefined : tier.get(key);
      if (id !== undefined) return id ?? undefined;
    }
    return undefined;
  }
  byUrl(url: string): string | undefined {
    return this.#urls.get(address(url)) ?? undefined;
  }
  /** `name` in the form of keyNames(). */
  byKey(name: string): string | undefined {
    return this.#keys.get(name) ?? undefined;
  }
  /** The document with a hash that begins with `prefix`, if there is exactly one. */
  byHash(prefix: string): string | undefined {
    if (prefix.length < SHORTEST_HASH) return undefined;
    if (!this.#sorted) this.#sort();
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#hashes[middle]?.hash ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    const first = this.#hashes[low];
    if (first?.hash.startsWith(prefix) !== true) return undefined;
    const other = this.#hashes[this.#others[low] ?? this.#hashes.length];
    return other?.hash.startsWith(prefix) === true ? undefined : first.id;
  }

  #sort(): void {
    const hashes = this.#hashes.sort((a, b) => (a.hash < b.hash ? -1 : 1));
    const others = new Uint32Array(hashes.length);
    for (let at = hashes.length - 1; at >= 0; at--) {
      const isSame = hashes[at]?.id === hashes[at + 1]?.id;
      others[at] = isSame ? (others[at + 1] ?? at + 1) : at + 1;
    }
    this.#others = others;
    this.#sorted = true;
  }
}

function put(names: Names, name: string, id: string): void {
  if (name === '') return;
  const there = names.get(name);
  if (there === undefined) names.set(name, id);
  else if (there !== id) names.set(name, null);
}

/**
 * The form in which names are compared: case, width of white space and Unicode composition do not
 * matter.
 */
export function plain(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function slug(title: string): string {
  return plain(title).replace(/[^\p{L}\p{N}]+/gu, '-');
}

function path(link: string): string {
  return plain(decoded(link))
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/\.(?:md|markdown|html?|txt|rst)$/, '')
    .replace(/\/$/, '');
}

function tail(link: string): string {
  return path(link).split('/').at(-1) ?? '';
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Without scheme, query and fragment; the host in lower case. */
function address(url: string): string {
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  return host.toLowerCase().replace(/^www\./, '') + decoded(rest).replace(/\/$/, '');
}

export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `RFC 793 - Transmission Control Protocol` has its number as a key. */
function leadingKey(title: string): string {
  return (
    /^\s*(?:RFC[ -]?\d+|CVE-\d{4}-\d{4,7}|[A-Z][A-Z0-9]+-\d+|#\d+)(?!\w)/i.exec(title)?.[0] ?? ''
  );
}

/** The forms of a number or key that texts are searched for. */
export function keyNames(key: string): readonly string[] {
  const text = key.trim();
  const names: string[] = [];
  const number = /^(?:#|(?:issue|pr|pull|gh|bug)[-/# ]?)?(\d{1,9})$/i.exec(text)?.[1];
  if (number !== undefined) names.push(`#${Number(number)}`);
  const rfc = /^rfc[ -]?0*(\d{1,5})(?:\.\w+)?$/i.exec(text)?.[1];
  if (rfc !== undefined) names.push(`rfc${rfc}`);
  if (/^cve-\d{4}-\d{4,7}$/i.test(text)) names.push(text.toLowerCase());
  else if (/^[A-Z][A-Z0-9]{1,9}-\d{1,9}$/.test(text)) names.push(text);
  const last = text.split(/[\s"<>]/).at(-1) ?? '';
  const doi = /10\.\d{4,9}\/.+/s.exec(last)?.[0];
  if (doi !== undefined) names.push(doi.toLowerCase());
  const mail = /^<?([^\s<>@]+@[^\s<>@]+)>?$/.exec(text)?.[1];
  if (mail !== undefined) names.push(mail);
  return names;
}
