import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contracts } from '@svc/contracts/all'

const names = new Set(contracts.map(({ name }) => name))

/**
 * Returns the outcomes that contracts declare, as `service.operation status code`; the code of a success is empty. An operation
 * that moves money has the outcome `service.operation dry_run` as well.
 * Operations that only missing services may call are left out.
 */
export function declaredOutcomes(): string[] {
  return contracts.flatMap(({ name, operations }) =>
    Object.values(operations)
      .filter(({ callers }) => callers === undefined || callers.some((caller) => names.has(caller)))
      .flatMap((operation) => [
        ...Object.keys(operation.success).map((status) => `${name}.${operation.key} ${status} `),
        ...(operation.effect === 'money' ? [`${name}.${operation.key} dry_run`] : []),
        ...(operation.refusals ?? []).map(({ status, code }) => `${name}.${operation.key} ${status} ${code}`),
      ]),
  )
}

/** Returns declared outcomes that no test observed, from the records of the tests in `folders`. */
export async function unobserved(folders: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder)).filter((name) => name.endsWith('.txt')).map((name) => join(folder, name)),
    ),
  )
  const texts = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')))
  const seen = new Set(texts.flatMap((text) => text.split('\n')))
  return declaredOutcomes().filter((outcome) => !seen.has(outcome))
}
