declare const brand: unique symbol

/**
 * A string that the type system keeps apart from other strings. Two packages that write
 * `Branded<'SessionId'>` name the same type, so neither has to import the other.
 */
export type Branded<Tag extends string> = string & {
  readonly [brand]: { readonly [K in Tag]: true }
}

/** Marks a string as branded. The caller vouches for it: nothing is checked. */
export function brandString<Tag extends string>(value: string): Branded<Tag> {
  return value as Branded<Tag>
}
