/** What the compiler says to somebody who uses every entry of some packages; a line each. */
export function consumerProblems(
  dir: string,
  tarballs: ReadonlyMap<string, Uint8Array>,
  library: (name: string, owner?: string) => string,
): Promise<string[]>
