import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { onPath } from './binaries.ts'
import { ServerProblem } from './problem.ts'

const nobody = 65_534

/** The user that runs Postgres, which refuses to run as root. */
export interface PostgresUser {
  /** Words before the command. */
  readonly prefix: readonly string[]
  /** Owner of its files; null: the user of this process. */
  readonly owner: number | null
}

/**
 * Returns how this process runs Postgres. An ordinary user runs it directly. Root runs it in a user namespace, where the
 * files stay root's; if namespaces are forbidden, as the user nobody, who must reach the data folder and the binary.
 */
export function postgresUser(dataDir: string, clusterDir: string, binary: string): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: [], owner: null }
  const namespace = ['unshare', '-U', '--map-user=1000', '--map-group=1000', '--']
  const madeByNobody = existsSync(clusterDir) && statSync(clusterDir).uid === nobody
  if (!madeByNobody && spawnSync('unshare', [...namespace.slice(1), 'true']).status === 0)
    return { prefix: namespace, owner: null }

  if (onPath('setpriv') === null) {
    throw new ServerProblem(
      'Postgres does not run as root and neither unshare nor setpriv is available here: run the command as an ordinary user.',
    )
  }
  chmodSync(dataDir, 0o711)
  for (const path of [dataDir, binary]) {
    const closed = ancestors(path).find((dir) => (statSync(dir).mode & 0o001) === 0)
    if (closed !== undefined) {
      throw new ServerProblem(
        `Postgres does not run as root and ${closed} is closed to other users: run the command as an ordinary user, or choose a data folder under /var/tmp with --data.`,
      )
    }
  }
  return { prefix: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'], owner: nobody }
}

function ancestors(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...ancestors(parent), parent]
}
