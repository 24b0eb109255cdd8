// The configuration as of now: reloadable keys may change while the process runs, so what depends on one asks here
// each time instead of keeping a copy. Cluster settings stand in the place of some keys, whatever a reload says.
import type { Config } from '../config/schema.js';

type Overrides = { readonly [K in keyof Config]?: Config[K] | undefined };

export class LiveConfig {
  #config: Config;
  #base: Config;
  #overrides: Overrides = {};
  #version = 0;
  readonly #watchers: (() => void)[] = [];

  constructor(config: Config) {
    this.#config = config;
    this.#base = config;
  }

  /** Without what stands in its place. */
  get base(): Config {
    return this.#base;
  }
  /** Another one after each change; it only grows. */
  get version(): number {
    return this.#version;
  }
  get current(): Config {
    return this.#config;
  }
  get<K extends keyof Config>(key: K): Config[K] {
    return this.#config[key];
  }
  replace(config: Config): void {
    this.#base = config;
    this.#merge();
  }
  /** Undefined members: as configured. */
  override(values: Overrides): void {
    this.#overrides = values;
    this.#merge();
  }
  #merge(): void {
    const set = Object.entries(this.#overrides).filter(([, value]) => value !== undefined);
    this.#config =
      set.length === 0
        ? this.#base
        : { ...this.#base, ...(Object.fromEntries(set) as Partial<Config>) };
    this.#version += 1;
    for (const changed of this.#watchers) changed();
  }

  /** For what cannot ask each time: called after every reload. */
  watch(changed: () => void): void {
    this.#watchers.push(changed);
  }
}
