import { contract } from '@svc/contract'
import { marketOperations } from './markets.ts'
import { hlRelaySettings } from './settings.ts'

/** The relay: what the venue tells anybody, read within a budget and kept. */
export const hlRelay = contract('hl-relay', {
  title: 'Relay',
  roleOf: 'hl-leg',
  operations: {
    ...marketOperations,
  },
  settings: hlRelaySettings,
  postgres: false,
})
