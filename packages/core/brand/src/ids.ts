import { randomUUID } from 'node:crypto'

/** The only source of identifiers. */
export interface IdSource {
  /** A fresh UUID, lower case with dashes. */
  uuid(): string
}

/** Random UUIDs of the machine. */
export const systemIds: IdSource = { uuid: () => randomUUID() }
