import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsIn } from './commands-in.ts'
import { COMMANDS_NOT_RUN } from './commands-not-run.ts'
import { COMMANDS_RUN, type Execution } from './documented-commands.ts'
import { HANG_MS, runShell } from './run-shell.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync(['README.md', 'docs/operations.md', '{packages/*,services/*,services/*/*}/README.md'], {
  cwd: root,
})
const documented = new Set(documents.flatMap((document) => commandsIn(document, read(document))))
const run = Object.entries(COMMANDS_RUN)
const elsewhere = (how: Execution) => (typeof how === 'object' && 'test' in how ? how : null)

test('code of documents that begins with a program is a command, comments and other languages are not', () => {
  const text = [
    'Run `npm run\ndemo` or `node src/main.ts --job a \\\n--once`; `kill -9` ends it, `nats.conf` is a file.',
    '```sh not run',
    'A=1 node src/x.ts \\',
    '  b   # a comment',
    'WORK=c',
    '```',
    '```ts',
    "node('c')",
    '```',
  ].join('\n')
  expect(commandsIn('services/keeper/README.md', text)).toEqual([
    'A=1 node services/keeper/src/x.ts b',
    'npm run demo',
    'node services/keeper/src/main.ts --job a --once',
  ])
})

test('every documented command is executed by a test or has a reason why it cannot be, and no entry is left over', () => {
  const known = [...Object.keys(COMMANDS_RUN), ...Object.keys(COMMANDS_NOT_RUN)]
  expect(known.length).toBe(new Set(known).size)
  expect({
    withoutEntry: [...documented].filter((command) => !known.includes(command)),
    leftOver: known.filter((command) => !documented.has(command)),
  }).toEqual({ withoutEntry: [], leftOver: [] })
  for (const reason of Object.values(COMMANDS_NOT_RUN)) expect(reason.length).toBeGreaterThan(15)
})

/** Returns the program of a command as a path from the root; an npm script is followed. Null if it is no file of this repository. */
function programOf(command: string): string | null {
  const script = /\bnpm (?:run )?([\w:]+)/.exec(command)?.[1] ?? ''
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const line = scripts[script] ?? command
  return /node (?:tools\/with-node24\.mjs )?((?:tools|packages|services|src)\/[\w./-]+\.ts)/.exec(line)?.[1] ?? null
}

test.each(run.flatMap(([command, how]) => (elsewhere(how) === null ? [] : [[command, how] as const])))(
  'the test of `%s` starts its program',
  (command, how) => {
    const { test: path, starts } = elsewhere(how) ?? expect.fail()
    const text = read(path)
    expect(text).toContain(starts)
    expect(text).toMatch(/spawn|execFile|fork\(|runCommand|runTool|command\('|runShell|SOAK_MINUTES/)
    if (!/^[\w./-]+\.ts$/.test(starts)) return
    expect([starts, join(dirname(path), starts)]).toContain(programOf(command))
  },
)

test('every command that the run of blocks executes stands in a block that it runs', () => {
  const blocks = [...read('docs/operations.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  const missing = run.filter(([command, how]) => how === 'block' && !blocks.join('').includes(`${command}\n`))
  expect(missing).toEqual([])
})

const here = new Map(
  run.flatMap(([, how]) => (typeof how === 'object' && 'here' in how ? [[how.here, how.prints] as const] : [])),
)
test.each([...here])(
  'runs: %s',
  async (line, prints) => {
    const work = mkdtempSync(join(tmpdir(), 'svc-command-'))
    try {
      expect(await runShell(line, { WORK: work })).toContain(prints)
    } finally {
      rmSync(work, { recursive: true })
    }
  },
  HANG_MS,
)
