import { refusal } from '@svc/contract'

/** Refusals of chain-indexer. */
export const chainIndexerRefusals = {
  chainNotConfigured: refusal('chain_not_configured', {
    status: 409,
    title: 'No chain configured',
    meaning: 'HUB_RPC_URL is unset, so nothing is read from a chain.',
    fix: 'The operator sets HUB_RPC_URL with HUB_CHAIN_ID or HUB_DEPLOYMENT_FILE.',
  }),
  unknownVault: refusal('unknown_vault', {
    status: 404,
    title: 'Unknown vault',
    meaning: 'None of the configured factories created a vault at this address, as far as the sweep has read.',
    fix: 'Take the address from the VaultCreated event; a vault just created is known once the sweep has read its block.',
  }),
} as const
