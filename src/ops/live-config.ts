// The current configuration. Reloadable keys may change while the process runs, so their values
// must be read here at each use and not copied. Cluster settings override some keys, regardless of
// reloads.
import type { Origins } from '../config/load.js';
import type { Config } from '../config/schema.js';

type Overrides = { readonly [K in keyof Config]?: Config[K] | undefined };

export class LiveConfig {
  #config: Config;
  #base: Config;
  #origins: Origins | undefined;
  #overrides: Overrides = {};
  #version = 0;
  readonly #watchers: (() => void)[] = [];

  constructor(config: Config, origins?: Origins) {
    this.#config = config;
    this.#base = config;
    this.#origins = origins;
  }

  /** The configuration without overrides. */
  get base(): Config {
    return this.#base;
  }
  /** Where the values of `base` come from; undefined on a thread that was not told. */
  get origins(): Origins | undefined {
    return this.#origins;
  }
  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }
  get current(): Config {
    return this.#config;
  }
  isOverridden(key: keyof Config): boolean {
    return this.#overrides[key] !== undefined;
  }
  get<K extends keyof Config>(key: K): Config[K] {
    return this.#config[key];
  }
  replace(config: Config, origins?: Origins): void {
    this.#base = config;
    this.#origins = origins;
    this.#merge();
  }
  /** A key whose value is undefined is not overridden. */
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

  /**
   * Registers a function that is called after every change, for consumers that cannot read the
   * value at each use.
   */
  watch(changed: () => void): void {
    this.#watchers.push(changed);
  }
}
