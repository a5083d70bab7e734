import { refusal } from '@svc/contract'

/** Refusals of chain-indexer. */
export const chainIndexerRefusals = {
  chainNotConfigured: refusal('chain_not_configured', {
    status: 409,
    title: 'No chain configured',
    meaning: 'HUB_RPC_URL is not set, so the service reads no chain.',
    fix: 'The operator sets HUB_RPC_URL with HUB_CHAIN_ID or HUB_DEPLOYMENT_FILE.',
  }),
  unknownVault: refusal('unknown_vault', {
    status: 404,
    title: 'Unknown vault',
    meaning: 'No configured factory has created a vault at this address in the blocks that the sweep has read.',
    fix: 'Use the address in the VaultCreated event; a new vault is known once the sweep has read its block.',
  }),
} as const
