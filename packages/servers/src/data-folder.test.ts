import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'
import { processStart } from './process-info.ts'

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

test.runIf(existsSync('/proc/self'))(
  'a folder of a killed process whose parent has not taken note of it is free',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'data-'))
    // The second command takes the place of the shell and waits for no child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => {
      parent.kill('SIGKILL')
      rmSync(root, { recursive: true })
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line)
    // The shell itself would take note.
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep') await delay(5)
    const holder = { pid, start: processStart(pid) }
    const claim = () => writeFileSync(join(root, 'lock'), JSON.stringify(holder))
    claim()
    expect(() => openDataFolder(root)).toThrow(`is in use by process ${pid}`)
    process.kill(pid, 'SIGKILL')
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await delay(5)
    openDataFolder(root).release()
  },
)
