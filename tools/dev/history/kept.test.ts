import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '@svc/servers'
import { afterAll, expect, test } from 'vitest'
import {
  beginHistory,
  historyToPlay,
  keepHistory,
  keptHistory,
  readHistory,
  refuseUnfinished,
  runnerSettings,
} from './kept.ts'
import { MONTH } from './plan.ts'

const history = {
  agents: [{ agentId: 1, name: 'Amber Heron', owner: 0 }],
  mandates: [{ publicId: `mdt_${'0'.repeat(32)}`, agent: 0, owner: 0 }],
  runner: { agentId: 2, key: 'svc_key' },
}
const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-history-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('a history begins in a new folder only, and is played once', () => {
  const dataDir = newFolder()
  expect(historyToPlay(dataDir, MONTH)).toBe(MONTH)
  expect(readHistory(dataDir)).toBeNull()
  const folder = openDataFolder(dataDir)
  keepHistory(folder, history)
  expect(keptHistory(folder)).toEqual(history)
  folder.release()
  expect(historyToPlay(dataDir, MONTH)).toBeNull()
  expect(readHistory(dataDir)).toEqual(history)
  expect(runnerSettings(history)).toMatchObject({ HUB_HOUSE_RUNNER_USER_ID: '2', HUB_HOUSE_RUNNER_KEY: 'svc_key' })
})

test('a folder whose history was interrupted is refused with one sentence that says what to delete', () => {
  const dataDir = newFolder()
  const folder = openDataFolder(dataDir)
  beginHistory(folder)
  expect(() => refuseUnfinished(dataDir)).toThrow(
    `The history of ${dataDir} was interrupted before its end: delete ${dataDir} and start again.`,
  )
  keepHistory(folder, history)
  folder.release()
  expect(() => refuseUnfinished(dataDir)).not.toThrow()
})

test('a folder whose chain has no past is refused with one sentence', () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'chain-state.json'), '{}')
  expect(() => historyToPlay(dataDir, MONTH)).toThrow(
    /^The chain of [^\n]+: delete [^\n]+, or choose a new folder with --data\.$/,
  )
})
