import { expect, test } from 'vitest'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '../chain-indexer/settings.ts'
import { chainSettings } from './chain-settings.ts'
import { keeperSettings } from '../keeper/settings.ts'

const groups = { chainSettings, chainIndexerSettings, keeperSettings }
const counts = Object.values(groups).flatMap((group) =>
  Object.values(group).filter(({ default: text }) => text !== null && /^\d+$/.test(text) && !/^[01]$/.test(text)),
)

test.each([...new Set(counts.map(({ env }) => env))])(
  '%s rejects a text that is not a number in plain digits',
  (env) => {
    for (const group of Object.values(groups)) {
      if (!Object.values(group).some((one) => one.env === env)) continue
      for (const text of ['', ' ', '-1', '1e3x', '2 blocks', 'NaN'])
        expect(() => loadSettings(group, { [env]: text })).toThrow(`${env} is invalid: `)
    }
  },
)
