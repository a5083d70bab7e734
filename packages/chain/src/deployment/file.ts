import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { SettingError } from '@svc/contract'
import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))

const deployed = z.strictObject({
  address,
  /** keccak256 of the code at the address. A different hash means a different contract. */
  code_hash: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits')
    .transform((text) => text as Hex),
})

/** Contracts of a deployment, by their names in the file. */
export const deployedNames = ['usdc', 'venue', 'leg_gateway', 'vault', 'vault_v2', 'factory', 'factory_v2'] as const
/** Name of a contract in the deployment file. */
export type DeployedName = (typeof deployedNames)[number]

const deploymentFile = z.strictObject({
  /** Version of this format. */
  version: z.literal(1),
  chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Block before which none of the contracts existed. */
  start_block: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  admin: address,
  keeper: address,
  contracts: z.record(z.enum(deployedNames), deployed),
})

/** The contracts of a chain, in a JSON file that every service reads. */
export type Deployment = z.output<typeof deploymentFile>

/** Parses a deployment file. Throws `SettingError`, which names the invalid member. */
export function parseDeployment(text: string): Deployment {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SettingError('HUB_DEPLOYMENT_FILE is not JSON: create it again by deploying the contracts.')
  }
  const parsed = deploymentFile.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new SettingError(
    `HUB_DEPLOYMENT_FILE is invalid: ${issue?.path.join('.')}: ${issue?.message}. Create it again by deploying the contracts.`,
  )
}

/** Reads a deployment file. Throws `SettingError` if it is missing or invalid. */
export function readDeployment(path: string): Deployment {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new SettingError(`HUB_DEPLOYMENT_FILE names a file that cannot be read: ${path}`)
  }
  return parseDeployment(text)
}

/** Writes a deployment file atomically: a reader sees the old file or the new one. */
export async function writeDeployment(path: string, deployment: Deployment): Promise<void> {
  const text = `${JSON.stringify(deploymentFile.parse(deployment), null, 2)}\n`
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}
