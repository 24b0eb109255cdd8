// The configuration as of now: reloadable keys may change while the process runs, so what depends on one asks here
// each time instead of keeping a copy.
import type { Config } from '../config/schema.js';

export class LiveConfig {
  #config: Config;
  readonly #watchers: (() => void)[] = [];

  constructor(config: Config) {
    this.#config = config;
  }

  get current(): Config {
    return this.#config;
  }
  get<K extends keyof Config>(key: K): Config[K] {
    return this.#config[key];
  }
  replace(config: Config): void {
    this.#config = config;
    for (const changed of this.#watchers) changed();
  }
  /** For what cannot ask each time: called after every reload. */
  watch(changed: () => void): void {
    this.#watchers.push(changed);
  }
}
