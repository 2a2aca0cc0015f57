/** `any`, and types that nobody can name, in what the entries of a package export; a line each. */
export function declarationProblems(
  files: ReadonlyMap<string, string>,
  entries: readonly string[],
): string[]
