function isPlain(value: object): boolean {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null
}

/**
 * A copy of `value` without the object keys whose value is `undefined`, at any depth. An unset
 * environment variable in a `!!js` scalar arrives as such a key, and a strict schema would see a
 * present key where the user meant an absent one. Array elements keep their place; anything but
 * plain objects and arrays is passed on as it is.
 */
export function stripUndefined<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => stripUndefined(item)) as T
  if (!isPlain(value)) return value
  // From entries, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, stripUndefined(item) as unknown]),
  ) as T
}
