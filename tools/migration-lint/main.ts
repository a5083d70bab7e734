import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { digestOf, lintMigrations, type Migrations } from './rules.ts'

const HELP = `node tools/with-node24.mjs tools/migration-lint/main.ts [--release]

Judges the migrations that are newer than the last release, docs/api/released-migrations.json: its code works with their
tables during an update. A statement that looks wrong and is not gets a comment in front of it:

  -- suits the last release: why its code can run beside this

  --release  stores the migrations as those of the release; run it when a release is tagged
  --help     this text
`
const root = join(import.meta.dirname, '../..')
const FILE = join(root, 'docs/api/released-migrations.json')

async function readMigrations(): Promise<Migrations> {
  const found: Record<string, string> = {}
  for await (const path of glob(['services/{*,*/*}/migrations/*.sql', 'packages/postgres/migrations/*.sql'], {
    cwd: root,
  }))
    found[path] = await readFile(join(root, path), 'utf8')
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => one.localeCompare(other)))
}

const [word, ...rest] = process.argv.slice(2)
if (word === '--help' || rest.length > 0 || (word !== undefined && word !== '--release')) process.stdout.write(HELP)
else if (word === '--release') {
  const digests = Object.entries(await readMigrations()).map(([path, sql]) => [path, digestOf(sql)])
  await writeFile(FILE, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`)
} else {
  const released = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(FILE, 'utf8')))
  const findings = lintMigrations(await readMigrations(), released)
  for (const { where, problem } of findings) console.log(`${where}: ${problem}`)
  if (findings.length > 0) process.exitCode = 1
}
