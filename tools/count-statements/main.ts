import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { git } from '../check/git.ts'
import { countStatements, isSource } from './count.ts'

const help = `Usage: node tools/count-statements/main.ts [--from COMMIT] [--to COMMIT] PATH...

Prints how many files and statements the sources under each path have, without comments, imports, tests and
generated files; with --from also how many they had, so that moved code counts where it went.

  --from COMMIT  compares with this commit
  --to COMMIT    counts this commit (default HEAD)
`
const root = fileURLToPath(new URL('../..', import.meta.url))

interface Counted {
  readonly files: number
  readonly statements: number
}

/** Counts the sources under a path at a commit. */
async function count(commit: string, path: string): Promise<Counted> {
  const listed = await git(root, 'ls-tree', '-r', '--name-only', commit, '--', path)
  if (listed === null) throw new Error(`git knows no commit ${commit}.`)
  const files = listed.split('\n').filter(isSource)
  let statements = 0
  for (const file of files) statements += countStatements(file, (await git(root, 'show', `${commit}:${file}`)) ?? '')
  return { files: files.length, statements }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    to: { type: 'string', default: 'HEAD' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || positionals.length === 0) process.stdout.write(help)
else {
  const sum = (all: readonly Counted[]): Counted => ({
    files: all.reduce((total, { files }) => total + files, 0),
    statements: all.reduce((total, { statements }) => total + statements, 0),
  })
  const words = (counted: Counted | null) =>
    counted === null ? '' : `${counted.files} files, ${counted.statements} statements`
  const pairs: { readonly before: Counted | null; readonly now: Counted }[] = []
  const print = (path: string, before: Counted | null, now: Counted) =>
    process.stdout.write(`${path}: ${before === null ? '' : `${words(before)} -> `}${words(now)}\n`)
  for (const path of positionals) {
    const before = values.from === undefined ? null : await count(values.from, path)
    const now = await count(values.to, path)
    pairs.push({ before, now })
    print(path, before, now)
  }
  const befores = pairs.flatMap(({ before }) => before ?? [])
  print('together', befores.length === 0 ? null : sum(befores), sum(pairs.map(({ now }) => now)))
}
