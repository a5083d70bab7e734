import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
/** Ends a command that hangs. */
export const HANG_MS = 900_000
const OUTPUT_MAX = 16 * 2 ** 20

/** Runs a command as a document has it, in the root of the repository; returns what it printed, and rejects unless it ends with 0. */
export async function runShell(line: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const { HOME, PATH, TMPDIR, XDG_CACHE_HOME } = process.env
  const bins = [dirname(process.execPath), join(root, 'node_modules/.bin')]
  const env = { HOME, TMPDIR, XDG_CACHE_HOME, PATH: [...bins, PATH].join(':'), ...more }
  const options = { cwd: root, env, timeout: HANG_MS, maxBuffer: OUTPUT_MAX }
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', line], options).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${line} failed: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`, { cause: error })
  })
  return stdout + stderr
}
