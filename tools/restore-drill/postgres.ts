import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { withClient, type Server } from '@svc/servers'
import { eventually } from '@svc/testing'
import { PATIENCE } from './patience.ts'

/** Where a cluster is backed up to. */
export interface BackupPlace {
  /** Copy of the cluster's files. */
  readonly base: string
  /** Write-ahead log since then, file by file. */
  readonly archive: string
}

/** Returns a text as a value of a configuration file or statement of Postgres. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Restarts Postgres with an archive of its log, of which each file is at most `everySec` seconds old. */
export async function startArchiving(server: Server, { archive }: BackupPlace, everySec: number): Promise<void> {
  mkdirSync(archive, { recursive: true, mode: 0o700 })
  await withClient(server.url, async (client) => {
    // A file that is there already is never overwritten, as the manual of Postgres wants it.
    const command = `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`
    await client.query(`ALTER SYSTEM SET archive_mode = on`)
    await client.query(`ALTER SYSTEM SET archive_command = ${quoted(command)}`)
    await client.query(`ALTER SYSTEM SET archive_timeout = ${everySec}`)
  })
  await server.restart()
}

/** Contents that a base backup leaves out, because a restore creates them. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_subtrans'])

/** Copies the files of a running cluster, as `pg_basebackup` does: between the two calls that make the copy consistent. */
export async function baseBackup(server: Server, cluster: string, { base }: BackupPlace): Promise<void> {
  await withClient(server.url, async (client) => {
    await client.query(`SELECT pg_backup_start('restore drill', true)`)
    copyTree(cluster, base)
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
    writeFileSync(join(base, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
  })
}

/** Copies a folder whose files may disappear meanwhile. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (LEFT_OUT.has(entry.name)) {
      if (entry.isDirectory()) mkdirSync(target, { mode: 0o700 })
      continue
    }
    try {
      if (entry.isDirectory()) copyTree(source, target)
      else copyFileSync(source, target)
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ENOENT') throw error
    }
  }
}

/** Puts the copy of a cluster in its place, to be recovered to a named moment, or to the end of the archive. */
export function restoreCluster(cluster: string, { base, archive }: BackupPlace, moment: string | null): void {
  const owner = statSync(base).uid
  rmSync(cluster, { recursive: true, force: true })
  copyTree(base, cluster)
  mkdirSync(join(cluster, 'pg_wal'), { recursive: true, mode: 0o700 })
  writeFileSync(join(cluster, 'recovery.signal'), '')
  const settings = [
    'archive_mode = off',
    `restore_command = ${quoted(`cp "${archive}/%f" "%p"`)}`,
    `recovery_target_action = 'promote'`,
    ...(moment === null ? [] : [`recovery_target_name = ${quoted(moment)}`]),
  ]
  // A later line of the file wins.
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  for (const made of [cluster, join(cluster, 'pg_wal'), join(cluster, 'recovery.signal')]) chownSync(made, owner, owner)
}

/** Resolves when a restored server has read its log to the wanted moment and accepts writes. */
export const recovered = (server: Server): Promise<unknown> =>
  eventually(async () => {
    const { rows } = await withClient(server.url, (client) =>
      client.query<{ over: boolean }>('SELECT NOT pg_is_in_recovery() AS over'),
    )
    return rows[0]?.over === true
  }, PATIENCE)

/** Names a moment in the log; what is committed before is part of it. */
export async function nameMoment(server: Server, name: string): Promise<void> {
  await withClient(server.url, (client) => client.query('SELECT pg_create_restore_point($1)', [name]))
}
