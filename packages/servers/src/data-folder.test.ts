import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'

test('a data folder is made with the folders above it, for this user only', () => {
  const root = mkdtempSync(join(tmpdir(), 'data-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = openDataFolder(join(root, 'a', 'b'))
  expect(statSync(folder.path).mode & 0o777).toBe(0o700)
  expect(() => openDataFolder(folder.path)).toThrow(`is in use by process ${process.pid}`)
  folder.release()
})

test.runIf(existsSync('/proc/self'))('a place that takes no folder is named in one sentence, at once', () => {
  expect(() => openDataFolder('/proc/data')).toThrow('/proc/data cannot be used')
})
