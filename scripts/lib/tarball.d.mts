/** The files of an npm tarball: path below the package to its text. */
export function filesOf(data: Uint8Array): Map<string, string>
/** Libraries of others that a tarball holds without their licences; a line each. */
export function licenceProblems(data: Uint8Array, names: readonly string[]): string[]
/** What must not be published, or must be and is not; a line each. */
export function tarballProblems(data: Uint8Array): string[]
