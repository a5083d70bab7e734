import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Copies the data folder that the run has prepared. `name` tells whose copy it is. */
export function newDataFolder(name: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), `svc-${name}-`))
  // Owners and modes stay: Postgres refuses a folder that others may read.
  execFileSync('cp', ['-a', `${inject('preparedFolder')}/.`, dataDir])
  return dataDir
}
