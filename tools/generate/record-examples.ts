import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { choose, chooseSamples, type Candidate } from './choose-example.ts'

const folderOfContracts = join(dirname(dirname(import.meta.dirname)), 'packages/contracts/src')

const write = (name: string, value: unknown) =>
  writeFile(join(folderOfContracts, name), `${JSON.stringify(value, null, 2)}\n`)

/**
 * Writes an example of every successful answer that has none, or whose schema rejects its example, from the answers that
 * tests left in `folder`, and in the same way the sample of every feed. Returns the names of those that no test got.
 */
export async function recordExamples(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bodies'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  const candidates = lines.map((line) => JSON.parse(line) as Candidate)
  const answers = choose(contracts, examples, candidates)
  await write('examples.json', answers.chosen)
  const known = Object.fromEntries(Object.entries(feeds).map(([key, { sample }]) => [key, sample]))
  const samples = chooseSamples(known, candidates)
  // A sample that no test published stays as it is: the catalogue has one of every feed.
  await write('subscriptions/feed-samples.json', { ...known, ...samples.chosen })
  return [...answers.missing, ...samples.missing]
}
