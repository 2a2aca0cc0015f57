import type { ProcessTable } from './process-table.ts'
import { linuxProcessTable } from './process-table-linux.ts'
import { psProcessTable } from './process-table-ps.ts'

/** The processes of this machine. */
export function systemProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  return platform === 'linux' ? linuxProcessTable() : psProcessTable()
}
