import { createHash } from 'node:crypto'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

/** The roles whose wallets a history has. */
type Role = 'agent' | 'owner' | 'runner'

/** Returns the wallet of a person of a history; equal seeds give equal wallets. Its key exists on this machine only. */
export const walletOf = (seed: string, role: Role, index = 0): PrivateKeyAccount =>
  privateKeyToAccount(`0x${createHash('sha256').update(`${seed}-${role}-${index}`).digest('hex')}`)
