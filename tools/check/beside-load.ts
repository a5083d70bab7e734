import { spawn, type ChildProcess } from 'node:child_process'
import { parseArgs } from 'node:util'
import { runCommand } from './run-command.ts'

// node tools/with-node24.mjs tools/check/beside-load.ts --loops 10 --times 20 -- tools/flow/keeper tools/flow/public
// Runs a command, or vitest over the named files, again and again beside busy loops, until it fails once.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { loops: { type: 'string', default: '10' }, times: { type: 'string', default: '1' } },
})
const [loops, times] = [Number(values.loops), Number(values.times)]
const [program] = positionals
if (program === undefined || !Number.isInteger(loops) || !Number.isInteger(times)) {
  console.error('usage: beside-load.ts [--loops 10] [--times 1] -- FILES… | npm …')
  process.exit(2)
}
const command = program === 'npm' ? positionals : ['vitest', 'run', ...positionals]
const root = new URL('../..', import.meta.url).pathname
const dayMs = 86_400_000

/** A loop also ends when this process is killed, because its standard input closes. */
const LOOP = `
  process.stdin.resume().on('end', () => process.exit())
  const spin = () => {
    const until = performance.now() + 100
    while (performance.now() < until);
    setImmediate(spin)
  }
  spin()`
const busy: ChildProcess[] = Array.from({ length: loops }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: ['pipe', 'ignore', 'ignore'] }),
)
let passed = 0
try {
  while (passed < times) {
    const { code } = await runCommand(command, { cwd: root, live: true, timeoutMs: dayMs })
    if (code !== 0) break
    passed += 1
  }
} finally {
  for (const loop of busy) loop.kill()
}
console.log(`${passed} of ${times} passed beside ${loops} busy loops`)
process.exitCode = passed === times ? 0 : 1
