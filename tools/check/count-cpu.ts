// A setup file of vitest: notes the CPU time of each test file's worker in the folder of the run's outcomes.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { cpuFile } from './cpu-file.ts'

const folder = process.env['TEST_OUTCOMES']
const before = process.cpuUsage()

afterAll(() => {
  if (folder === undefined) return
  const { user, system } = process.cpuUsage(before)
  const file = expect.getState().testPath
  appendFileSync(join(folder, cpuFile), `${JSON.stringify({ file, seconds: (user + system) / 1e6 })}\n`)
})
