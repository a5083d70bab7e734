import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns what git prints, trimmed; null if git is missing, ends with another code than 0, or takes over a minute. */
export async function git(root: string, ...words: readonly string[]): Promise<string | null> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' }
  return run('git', [...words], { cwd: root, env, timeout: 60_000, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}
