import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@svc/contract'
import { ServerProblem, type DataFolder } from '@svc/servers'
import type { History } from './play.ts'
import type { HistorySize } from './plan.ts'

const FILE = 'history.json'
/** Exists from the first call of a history until its end. */
const UNFINISHED = 'history-unfinished'
const FORMAT = 1

/** Returns the history that a data folder has; null without one. Throws `ServerProblem` for a file of another version. */
export function keptHistory(folder: Pick<DataFolder, 'readJson' | 'file'>): History | null {
  const kept = folder.readJson(FILE)
  if (kept === null) return null
  if (typeof kept === 'object' && Reflect.get(kept, 'format') === FORMAT) return Reflect.get(kept, 'history') as History
  throw new ServerProblem(`${folder.file(FILE)} is of another version: choose a new data folder with --data.`)
}

/** Reads the history of a data folder that another process may use; null without one. */
export function readHistory(dataDir: string): History | null {
  if (!hasHistory(dataDir)) return null
  return keptHistory({
    file: (...names) => join(dataDir, ...names),
    readJson: (name) => JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as unknown,
  })
}

/** Marks a data folder as one whose history has begun and not ended. */
export const beginHistory = (folder: Pick<DataFolder, 'write'>): void => folder.write(UNFINISHED, '')

/** Stores a history that was played to its end; the file has the key of the house runner. */
export function keepHistory(folder: Pick<DataFolder, 'write' | 'file'>, history: History): void {
  folder.write(FILE, `${JSON.stringify({ format: FORMAT, history })}\n`)
  rmSync(folder.file(UNFINISHED), { force: true })
}

/** Returns true if the history of a data folder was interrupted: its chain and its database do not belong together. */
export const isUnfinished = (dataDir: string): boolean => existsSync(join(dataDir, UNFINISHED)) && !hasHistory(dataDir)

/** Throws `ServerProblem` for a data folder whose history was interrupted; it says what to delete. */
export function refuseUnfinished(dataDir: string): void {
  if (isUnfinished(dataDir))
    throw new ServerProblem(
      `The history of ${dataDir} was interrupted before its end: delete ${dataDir} and start again.`,
    )
}

/** Returns true if a data folder has a history that was played to its end. */
export const hasHistory = (dataDir: string): boolean => existsSync(join(dataDir, FILE))

/** Returns true if a history can begin in a data folder: time goes forward only, so its chain must not exist yet. */
export const mayBegin = (dataDir: string): boolean => !existsSync(join(dataDir, 'chain-state.json'))

/**
 * Returns the size of the history to play before a data folder can be used; null if it is there. Throws `ServerProblem` if it
 * cannot begin any more.
 */
export function historyToPlay(dataDir: string, size: HistorySize): HistorySize | null {
  if (hasHistory(dataDir)) return null
  if (mayBegin(dataDir)) return size
  throw new ServerProblem(
    `The chain of ${dataDir} has no past, which --with-history needs: delete ${dataDir}, or choose a new folder with --data.`,
  )
}

/** Returns the settings by which the house runner of a history follows signals. */
export const runnerSettings = ({ runner }: History): Environment => ({
  HUB_HOUSE_RUNNER_USER_ID: String(runner.agentId),
  HUB_HOUSE_RUNNER_KEY: runner.key,
  HUB_HOUSE_FOLLOW_DRY_RUN: '0',
})
