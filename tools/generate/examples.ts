import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { runCommand } from '../check/run-command.ts'
import { choose, type Candidate } from './choose-example.ts'

const HELP = `npm run examples -- [TEST ...]

Runs the tests and records an example of every successful answer that has none, or whose schema rejects its example,
in packages/contracts/src/examples.json. Without a test it runs all.
`

const root = dirname(dirname(import.meta.dirname))
const file = join(root, 'packages/contracts/src/examples.json')

async function record(filters: readonly string[]): Promise<Candidate[]> {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'))
  try {
    await runCommand(['vitest', 'run', ...filters], {
      cwd: root,
      live: true,
      timeoutMs: 60 * 60_000,
      env: { TEST_OUTCOMES: folder, TEST_EXAMPLES: '1' },
    })
    const names = (await readdir(folder)).filter((name) => name.endsWith('.bodies'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Candidate)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const words = process.argv.slice(2)
if (words.includes('--help')) process.stdout.write(HELP)
else {
  const { chosen, missing } = choose(contracts, examples, await record(words))
  await writeFile(file, `${JSON.stringify(chosen, null, 1)}\n`)
  console.log(`${Object.keys(chosen).length} examples in packages/contracts/src/examples.json`)
  for (const name of missing) console.log(`no example yet: ${name}`)
}
