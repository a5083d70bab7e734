import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const rules = readFileSync(join(root, 'CODEOWNERS'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/))

/** Returns the owners of a path: those of the last matching line. Every pattern is a folder, a file or `*`. */
function ownersOf(path: string): readonly string[] {
  const line = rules.findLast(([pattern = '']) => pattern === '*' || `/${path}`.startsWith(pattern))
  return line?.slice(1) ?? []
}

/** Where a team of a service works: its code, its declarations and its manifests. */
const placesOf = (contract: (typeof contracts)[number]): string[] => {
  const folder = `packages/contracts/src/${contract.name}`
  const declarations = existsSync(join(root, folder)) ? `${folder}/contract.ts` : `${folder}.ts`
  return [`${placeOf(contract).folder}/README.md`, declarations, `k8s/base/${contract.name}/deployment.yaml`]
}

test.each(contracts.map((contract) => [contract.name, contract] as const))(
  'the team of %s owns its code, its contract and its manifests',
  (_name, contract) => {
    for (const path of placesOf(contract)) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect({ path, owners: ownersOf(path) }).toEqual({ path, owners: [`@svc/${placeOf(contract).image}-team`] })
    }
  },
)

test('every line of CODEOWNERS names a path that exists and at least one team', () => {
  for (const [pattern = '', ...owners] of rules) {
    if (pattern !== '*') expect(existsSync(join(root, pattern)), pattern).toBe(true)
    expect(owners.length, pattern).toBeGreaterThan(0)
    for (const owner of owners) expect(owner).toMatch(/^@svc\/[a-z-]+-team$/)
  }
})
