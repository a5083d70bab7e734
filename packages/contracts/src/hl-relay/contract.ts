import { contract } from '@svc/contract'
import { catalogueOperations } from './catalogue.ts'
import { infoOperations } from './info.ts'
import { marketOperations } from './markets.ts'
import { hlRelaySettings } from './settings.ts'
import { stationOperations } from './station.ts'
import { userOperations } from './users.ts'

/** The relay: what the venue tells anybody, read within a budget and kept. */
export const hlRelay = contract('hl-relay', {
  title: 'Relay',
  roleOf: 'hl-leg',
  operations: {
    ...infoOperations,
    ...userOperations,
    ...catalogueOperations,
    ...stationOperations,
    ...marketOperations,
  },
  settings: hlRelaySettings,
  postgres: false,
})
