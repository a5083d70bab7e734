import { opened } from '@svc/testing'
import { describe } from 'vitest'
import { agentsSuite } from './agents.suite.ts'
import { badInputSuite } from './bad-input.suite.ts'
import { fixesSuite } from './fixes.suite.ts'
import { idempotencySuite } from './idempotency.suite.ts'
import { matrixSuite } from './matrix.suite.ts'
import { wireSuite } from './wire.suite.ts'
import { toolsSuite } from './tools.suite.ts'
import { startWorld } from './world.ts'

// The relays answer for the venue on this machine.
const world = opened(() => startWorld({ HUB_DOOR_ENABLED: '1', HUB_GAS_DRIP_ENABLED: '1' }, { leg: true }))

// A platform costs ten seconds of CPU, so these suites share one. Bad input comes first: it compares what is stored
// before and after, which the work that other suites leave behind would change.
for (const suite of [badInputSuite, idempotencySuite, agentsSuite, wireSuite, fixesSuite, toolsSuite, matrixSuite])
  describe('on a shared platform', () => {
    suite(() => world)
  })
