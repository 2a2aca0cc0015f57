/** Name of each publishable package to the absolute path of its tarball in `to`. */
export function packAll(to: string): Promise<Map<string, string>>
/** The folder of each publishable package, below the root, by its name; sorted. */
export function packageFolders(): Promise<Map<string, string>>
export function packageNames(): Promise<string[]>
