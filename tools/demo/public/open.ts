import { join } from 'node:path'
import { readPassword, ServerProblem } from '@svc/servers'
import { hasHistory, mayBegin, readHistory } from '#dev/history/kept.ts'
import { openStage } from '../chain-stage.ts'
import { chainOfPlatform, findOrStartPlatform, legVenueOf } from '../platform.ts'
import type { Walk } from '../walk.ts'
import type { PublicStage } from './house.ts'

/** Folder below the data folder for a platform with a history, if that one has none. */
const FOLDER = 'with-history'

/** Returns the folder whose platform has, or can get, a history. */
const folderOf = (data: string): string => (hasHistory(data) || mayBegin(data) ? data : join(data, FOLDER))

/** Finds or starts a platform with a history. */
export async function openPublicPlatform(data: string) {
  const folder = folderOf(data)
  if (!hasHistory(folder)) console.log(`A month of history is played in ${folder} first: one to three minutes.`)
  const { url, house, stop } = await findOrStartPlatform(folder, ['--with-history'])
  const local = await chainOfPlatform(folder)
  const venue = legVenueOf(folder)
  const history = readHistory(folder)
  const seed = readPassword(folder, 'history')
  if (local === null || venue === null || history === null || seed === null) {
    await stop()
    throw new ServerProblem('The platform has no history, chain or venue of its own: name another folder with --data.')
  }
  const scene = (walk: Walk): PublicStage => ({
    stage: openStage(local, walk),
    walk,
    wallets: local.wallets,
    venue,
    house,
    history,
    seed,
    deploymentFile: join(folder, 'deployment.json'),
    folder: join(folder, 'demo'),
  })
  return { url, stop, scene }
}
