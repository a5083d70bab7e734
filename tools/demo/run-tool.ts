import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Walk } from './walk.ts'

const TOOL_MS = 600_000

/** Runs a command of this repository, such as `tools/verify-record/main.ts`, and prints what it says; returns its exit code. */
export async function runTool(walk: Walk, tool: string, args: readonly string[]): Promise<number> {
  walk.step(`node tools/with-node24.mjs ${tool} ${args.join(' ')}`)
  const main = fileURLToPath(new URL(`../../${tool}`, import.meta.url))
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [main, ...args], { timeout: TOOL_MS }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 2), output: stdout + stderr }),
    )
  })
  for (const line of output.trimEnd().split('\n')) walk.outcome(code === 0, line)
  return code
}

/** Writes a file into a folder, which is made if it is missing; returns its path. */
export function keep(folder: string, name: string, content: Buffer | string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
