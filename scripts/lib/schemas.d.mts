/** The text of each JSON Schema that packages ship, by its path below `root`. */
export function shippedSchemas(
  root: string,
  load: (module: string) => Promise<unknown>,
): Promise<Map<string, string>>
