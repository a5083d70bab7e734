import { execFile } from 'node:child_process'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '@svc/postgres'
import { disposableDatabase, opened } from '@svc/testing'
import { expect, test } from 'vitest'

const database = opened(() => disposableDatabase('hl_leg'))

test('a column of an order is a migration and a line of its columns: the store writes, changes and returns it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(join(import.meta.dirname, '../../migrations'), directory, { recursive: true })
  await writeFile(join(directory, '9999-desk-label.sql'), 'ALTER TABLE leg_order ADD COLUMN desk_label text;\n')
  await migrate({ url: database.migratorUrl, schema: 'hl_leg', directory })

  const program = fileURLToPath(new URL('./new-column-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, TEST_DATABASE_URL: database.url },
  })
  expect(JSON.parse(stdout)).toEqual([
    ['judged', 'basis'],
    ['judged', 'carry'],
    ['judged', 'carry'],
    ['closed', 'hedge'],
  ])
})
