// JSON values as exchanged by the services and the coordinator.

/** A JSON value; whole numbers beyond 2^53 are bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
