/** The files of an npm tarball: path below the package to its text. */
export function filesOf(data: Uint8Array): Map<string, string>
/** Licences that a tarball has to have, since it holds what they are for, and has not; a line each. */
export function licenceProblems(data: Uint8Array, licences: readonly string[]): string[]
/** What must not be published, or must be and is not; a line each. */
export function tarballProblems(data: Uint8Array): string[]
