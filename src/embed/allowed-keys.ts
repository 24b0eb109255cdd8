// The environment variables that an endpoint may name as the source of its key, as configured;
// other variables may hold unrelated secrets. An empty list permits all variables, or none if keys
// are required.

import { wildcardMatch } from '../base/wildcard.js';
import { QuarryError } from '../errors.js';
import type { RemoteEndpoint } from './endpoint.js';

export const KEYS_SETTING = 'inference.api_key_envs';

export class AllowedKeys {
  readonly #patterns: readonly string[];
  readonly #withKeys: boolean;

  /**
   * `list` is comma-separated and may contain patterns; `withKeys` tells whether requests need
   * keys.
   */
  constructor(list: string, withKeys = false) {
    this.#withKeys = withKeys;
    this.#patterns = list
      .split(',')
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== '');
  }

  allows(name: string): boolean {
    if (this.#patterns.length === 0) return !this.#withKeys;
    return this.#patterns.some((pattern) => wildcardMatch(pattern, name));
  }

  /**
   * Throws illegal_argument_exception unless the endpoint has no key or its variable is permitted;
   * `name` is the setting that holds it.
   */
  check({ apiKeyEnv }: RemoteEndpoint, name: string): void {
    if (apiKeyEnv === undefined || this.allows(apiKeyEnv)) return;
    const allowed =
      this.#patterns.length === 0
        ? 'which is empty and allows none while [auth.enabled] is on'
        : `[${this.#patterns.join(',')}]`;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${name}] names the environment variable [${apiKeyEnv}], which the configuration does not allow: ` +
        `add it to [${KEYS_SETTING}], ${allowed}`,
    );
  }
}
