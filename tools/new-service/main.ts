import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from '../check/run-command.ts'
import { createService, nameProblem } from './create.ts'

const root = dirname(dirname(import.meta.dirname))
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const unknown = words.find((word) => word.startsWith('--') && word !== '--no-install')
const [name] = names
const stepTimeoutMs = 300_000

if (name === undefined || names.length > 1 || unknown !== undefined) {
  process.stderr.write(readFileSync(join(import.meta.dirname, 'help.txt')))
  process.exitCode = 1
} else {
  const problem = nameProblem(root, name)
  if (problem === null) await create(name)
  else fail(problem)
}

async function create(service: string): Promise<void> {
  const files = await createService(root, service)
  const steps = [
    ['oxfmt', ...files.filter((file) => /\.(ts|json)$/.test(file))],
    ...(words.includes('--no-install') ? [] : [['npm', 'install', '--no-audit', '--no-fund']]),
    ['node', 'tools/generate/main.ts'],
  ]
  for (const step of steps) {
    const { code, output } = await runCommand(step, { cwd: root, timeoutMs: stepTimeoutMs })
    if (code !== 0) return fail(`${step.join(' ')} failed:\n${output}`)
  }
  for (const file of files) console.log(file)
  console.log(`\nNext: declare what the service offers in packages/contracts/src/${service}.ts, then npm test.`)
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
