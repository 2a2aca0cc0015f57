/** Name of each publishable package to the absolute path of its tarball in `to`. */
export function packAll(to: string): Promise<Map<string, string>>
export function packageNames(): Promise<string[]>
