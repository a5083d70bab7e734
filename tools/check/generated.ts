import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

const generatedFiles = ['docs/api/**/*.{json,md,txt,yaml}', 'services/*/schema.md', 'infra/nats/**/*.{conf,json}']
const generateTimeoutMs = 120_000

async function fingerprint(root: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for await (const path of glob(generatedFiles, { cwd: root }))
    hashes.set(
      path,
      createHash('sha256')
        .update(await readFile(join(root, path)))
        .digest('hex'),
    )
  return hashes
}

/** Generates all documents again and fails when that changed one: the committed text is then not what the code says. */
export async function checkGenerated(root: string): Promise<{ code: number; output: string; durationMs: number }> {
  const before = await fingerprint(root)
  const result = await runCommand(['node', 'tools/generate/main.ts'], { cwd: root, timeoutMs: generateTimeoutMs })
  if (result.code !== 0) return result
  const after = await fingerprint(root)
  const stale = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
  if (stale.length === 0) return result
  return {
    ...result,
    code: 1,
    output: stale.map((path) => `${path} was stale and is generated now: commit it`).join('\n'),
  }
}
