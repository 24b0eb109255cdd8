// Names of indexes and aliases here and in the cluster, where a prefix stands in front of them.

export class IndexNames {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** As the cluster knows it; a leading dot stays in front, so that the index stays a hidden one. */
  inCluster(name: string): string {
    if (this.prefix === '') return name;
    return name.startsWith('.') ? `.${this.prefix}${name.slice(1)}` : `${this.prefix}${name}`;
  }

  /** Undefined: it belongs to someone else. */
  shown(name: string): string | undefined {
    const { prefix } = this;
    if (prefix === '') return name;
    if (name.startsWith(prefix)) return name.slice(prefix.length);
    return name.startsWith(`.${prefix}`) ? `.${name.slice(prefix.length + 1)}` : undefined;
  }

  /** Every name in a text. */
  shownIn(text: string): string {
    return this.prefix === '' ? text : text.replaceAll(this.prefix, '');
  }

  /** The expression of everything that is ours. */
  get all(): string {
    return this.prefix === '' ? '*' : `${this.prefix}*,.${this.prefix}*`;
  }

  /** The path segment for names of the cluster. */
  path(names: readonly string[]): string {
    return names.map((name) => encodeURIComponent(this.inCluster(name))).join(',');
  }
}
