/** A value that `JSON.stringify` writes without loss. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
/** An object of JSON: its values are JSON again. */
export interface JsonObject {
  readonly [key: string]: Json
}
