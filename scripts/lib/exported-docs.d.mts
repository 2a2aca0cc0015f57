/** Exported names whose declarations have no doc comment, as `src/a.ts:12 nameOfIt`, sorted. */
export function undocumentedExports(entry: string, root: string): string[]
