import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { productChecks, runChecks } from '../check/checks.ts'
import { runCommand } from '../check/run-command.ts'
import { copyTree, linkProject } from './copy-tree.ts'
import { nameProblem } from './create.ts'

const root = dirname(dirname(import.meta.dirname))
const name = 'note-book'
const timeoutMs = 2_400_000
const LONG = process.env['TEST_LONG'] === '1'
/**
 * What creation can get wrong by itself, as far as it costs little. The long run makes every check of the whole tree, lint and
 * imports among them: these two read all types and all files to judge a few.
 */
const OF_A_SERVICE = ['types', 'project graph', 'subjects of services', 'format']
let copy: string

const run = (...command: string[]) => runCommand(command, { cwd: copy, timeoutMs })

beforeAll(async () => {
  copy = await realpath(await mkdtemp(join(tmpdir(), 'new-service-')))
  await copyTree(root, copy)
  await linkProject(copy, name, `services/${name}`)
  const created = await run('node', 'tools/new-service/main.ts', name, '--no-install')
  expect(created.output).toContain(`services/${name}/src/main.ts`)
  expect(created.code).toBe(0)
  if (!LONG) await narrowTypes()
}, timeoutMs)

/** Checks the types of what creation wrote and of what reads it: those of the whole tree take 40 s of a core. */
async function narrowTypes(): Promise<void> {
  const file = join(copy, 'tsconfig.json')
  const folders = [`services/${name}`, 'packages/contracts'].flatMap((project) => [`${project}/src`, `${project}/test`])
  const config = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, `${JSON.stringify({ ...config, include: [...folders, 'packages/testing/src'] }, null, 2)}\n`)
}

afterAll(() => rm(copy, { recursive: true }))

test(
  `a new service passes ${LONG ? 'every check' : 'the checks of types, format and place in the tree'}`,
  async () => {
    const written = [`services/${name}`, `packages/contracts/src/${name}.ts`, 'packages/contracts/src/all.ts']
    const checks = productChecks(...(LONG ? [] : written))
    const results = await runChecks(
      copy,
      checks.filter((check) => LONG || OF_A_SERVICE.includes(check.name)),
    )
    expect(results.length).toBe(LONG ? checks.length : OF_A_SERVICE.length)
    expect(results.filter(({ passed }) => !passed)).toEqual([])
  },
  timeoutMs,
)

test(
  'a new service answers its operation over real servers, and the tests of the tree accept its container and its declarations',
  async () => {
    const { code, output } = await run(
      'vitest',
      'run',
      `services/${name}`,
      'packages/contracts',
      ...(LONG ? ['tools/dev', 'tools/generate', 'tools/check'] : ['tools/dev/images']),
      // The image of another service does not change.
      '--exclude=**/image-contents.test.ts',
    )
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
  },
  timeoutMs,
)

test.each(['Upper', 'two--dashes', 'a_b', '../up', '-x', 'x'.repeat(31), ''])('the name "%s" is refused', (bad) => {
  expect(nameProblem(root, bad)).toContain('is not a service name')
})

test('the name of a service that exists is refused', () => {
  expect(nameProblem(root, 'identity')).toContain('choose another name')
})
