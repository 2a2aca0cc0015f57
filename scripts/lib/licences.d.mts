/** Where a package keeps the licences of the code of others that it ships, below the package. */
export const LICENCES_FILE: string
/** The licences of all packages of which a bundle holds something, each with its name and version. */
export function licencesOf(inputs: readonly string[], base: string): string
