import { execFile } from 'node:child_process'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '@svc/postgres'
import { disposableDatabase, opened } from '@svc/testing'
import { expect, test } from 'vitest'

const database = opened(() => disposableDatabase('mandates'))

test('a column of a mandate is a migration and a line of its columns: the stores write, read and return it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(join(import.meta.dirname, '../../migrations'), directory, { recursive: true })
  await writeFile(join(directory, '9999-desk-label.sql'), 'ALTER TABLE mandate ADD COLUMN desk_label text;\n')
  await migrate({ url: database.migratorUrl, schema: 'mandates', directory })

  const program = fileURLToPath(new URL('./new-column-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, TEST_DATABASE_URL: database.url },
  })
  expect(JSON.parse(stdout)).toEqual([
    { publicId: 'mdt_1', deskLabel: 'basis' },
    { publicId: 'mdt_1', deskLabel: 'carry' },
    { publicId: 'mdt_1', deskLabel: 'carry' },
  ])
})
