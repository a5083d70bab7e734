import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Examples } from './examples.ts'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))
const MODULES = ['urllib3', 'dateutil', 'six', 'certifi']
/** In a program that runs once, the optimizing compiler costs more than it saves. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

/**
 * Makes a client of the platform at an address as the page about Python says, with OpenAPI Generator; `pip` alone is not run.
 * Returns the programs of the page, or a text with what this machine lacks.
 */
export async function preparePython(url: string): Promise<Examples | string> {
  const page = readFileSync(join(root, 'docs/python-client.md'), 'utf8')
  const blocks = [...page.matchAll(/```python\n# program: (\w+)\.py\n(.*?)```/gs)]
  const programs = new Map(blocks.map(([, name = '', code = '']) => [name, code]))
  const [, shell = ''] = /```sh\n(npm pack .*?)```/s.exec(page) ?? []
  const [pack = '', ...commands] = shell.split('\n').filter((line) => line !== '' && !line.startsWith('pip '))
  const folder = mkdtempSync(join(tmpdir(), 'svc-python-'))
  const environment = { ...process.env, JAVA_TOOL_OPTIONS, CHERRY_URL: url }
  const inFolder = (file: string, words: readonly string[], env: NodeJS.ProcessEnv = environment) =>
    run(file, words, { cwd: folder, env, maxBuffer: 10_000_000 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const modules = MODULES.join(', ')
  const needed: readonly (readonly [lack: string, file: string, words: readonly string[]])[] = [
    ['no Java', 'java', ['-version']],
    [`no Python 3.9 with ${modules}`, 'python3', ['-c', `import sys, ${modules}; assert sys.version_info >= (3, 9)`]],
    ['no registry of npm that has the generator', 'bash', ['-c', `${pack} --fetch-retries=0 --fetch-timeout=60000`]],
  ]
  for (const [lack, file, words] of needed) {
    const had = await inFolder(file, words).then(
      () => true,
      () => false,
    )
    if (had) continue
    remove()
    return lack
  }
  for (const [name, code] of programs) writeFileSync(join(folder, `${name}.py`), code)
  try {
    for (const command of commands) await inFolder('bash', ['-c', command])
  } catch (error) {
    remove()
    throw error
  }
  return {
    names: [...programs.keys()],
    run: async (name, more) => (await inFolder('python3', [`${name}.py`], { ...environment, ...more })).stdout,
    remove,
  }
}
