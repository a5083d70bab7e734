import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { choose, type Candidate } from './choose-example.ts'

const file = join(dirname(dirname(import.meta.dirname)), 'packages/contracts/src/examples.json')

/**
 * Writes an example of every successful answer that has none, or whose schema rejects its example, from the answers that
 * tests left in `folder`. Returns the names of answers that no test got.
 */
export async function recordExamples(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bodies'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  const candidates = lines.map((line) => JSON.parse(line) as Candidate)
  const { chosen, missing } = choose(contracts, examples, candidates)
  await writeFile(file, `${JSON.stringify(chosen, null, 2)}\n`)
  return missing
}
