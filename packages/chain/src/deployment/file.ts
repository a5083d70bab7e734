import { rename, writeFile } from 'node:fs/promises'
import {
  deploymentFile,
  deploymentText,
  parseDeployment as parse,
  type Deployment,
} from '@svc/contracts/deployment-file'
import { getAddress } from 'viem'

export type { Deployment, DeployedName } from '@svc/contracts/deployment-file'

/** Parses a deployment file and returns its addresses with checksums. Throws `SettingError`, which names the invalid member. */
export function parseDeployment(text: string): Deployment {
  const deployment = parse(text)
  const contracts = Object.entries(deployment.contracts).map(([name, { address, code_hash }]) => [
    name,
    { address: getAddress(address), code_hash },
  ])
  return {
    ...deployment,
    admin: getAddress(deployment.admin),
    keeper: getAddress(deployment.keeper),
    contracts: Object.fromEntries(contracts),
  }
}

/** Reads a deployment file. Throws `SettingError` if it is missing or invalid. */
export const readDeployment = (path: string): Deployment => parseDeployment(deploymentText(path))

/** Writes a deployment file atomically: a reader sees the old file or the new one. */
export async function writeDeployment(path: string, deployment: Deployment): Promise<void> {
  const text = `${JSON.stringify(deploymentFile.parse(deployment), null, 2)}\n`
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
