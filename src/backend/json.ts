// JSON values as the services and the coordinator hand them to each other.

/** A JSON value as `JSON.parse` gives it; whole numbers beyond 2^53 are bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
