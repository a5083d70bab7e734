import { allMutants } from './mutants.ts'
import { EQUIVALENT } from './equivalent.ts'
import { runMutants } from './run.ts'

// node packages/vault/mutation/main.ts [part of a name]: runs all mutants, or those whose name contains the words.
const words = process.argv.slice(2).join(' ')
const chosen = allMutants().filter(({ name }) => !EQUIVALENT.has(name) && name.includes(words))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

let done = 0
const outcomes = await runMutants(chosen, ({ mutant, verdict, by, durationMs }) => {
  done += 1
  const seconds = (durationMs / 1_000).toFixed(1)
  print(
    `${String(done).padStart(4)}/${chosen.length} ${verdict.padEnd(9)} ${seconds.padStart(6)} s  ${mutant.name}: ${by}`,
  )
})
const left = outcomes.filter(({ verdict }) => verdict !== 'killed')
print(`\n${outcomes.length - left.length} killed, ${left.length} not`)
for (const { mutant, verdict } of left) print(`${verdict}: ${mutant.name} (${mutant.file})`)
process.exitCode = left.length > 0 ? 1 : 0
