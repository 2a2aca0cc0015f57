/** Where a build leaves what went into each bundle, by the folder of the package; below the root. */
export const BUNDLES_FILE: string
/** Where a package keeps the licences of the code of others that it ships, below the package. */
export const LICENCES_FILE: string
/** The licence of each package of which a bundle holds something, below its name and version; sorted. */
export function licencesOf(inputs: readonly string[], base: string): string[]
/** The text of the file that has these licences. */
export function noticesText(licences: readonly string[]): string
