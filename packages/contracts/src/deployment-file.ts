import { readFileSync } from 'node:fs'
import { SettingError } from '@svc/contract'
import { z } from 'zod'

type Hex = `0x${string}`

const hex = (digits: number, pattern: RegExp) =>
  z
    .string()
    .regex(pattern, `must be 0x and ${digits} hex digits`)
    .transform((text) => text as Hex)
const address = hex(40, /^0x[0-9a-fA-F]{40}$/)

const deployed = z.strictObject({
  address,
  /** keccak256 of the code at the address. A different hash means a different contract. */
  code_hash: hex(64, /^0x[0-9a-f]{64}$/),
})

/** Contracts of a deployment, by their names in the file. */
export const deployedNames = ['usdc', 'venue', 'leg_gateway', 'vault', 'vault_v2', 'factory', 'factory_v2'] as const
/** Name of a contract in the deployment file. */
export type DeployedName = (typeof deployedNames)[number]

/** Schema of a deployment file. */
export const deploymentFile = z.strictObject({
  /** Version of this format. */
  version: z.literal(1),
  chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Block before which none of the contracts existed. */
  start_block: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  admin: address,
  keeper: address,
  contracts: z.record(z.enum(deployedNames), deployed),
})

/** The contracts of a chain, in a JSON file that every service reads. Addresses are as written, in any case. */
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

/** Returns the text of a deployment file. Throws `SettingError` if the file cannot be read. */
export function deploymentText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new SettingError(`HUB_DEPLOYMENT_FILE names a file that cannot be read: ${path}`)
  }
}
