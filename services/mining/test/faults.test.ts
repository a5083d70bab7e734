import { eventually, opened } from '@svc/testing'
import { expect, it } from 'vitest'
import { agent, reviewer, startRig, text } from './rig.ts'

const rig = opened(() => startRig())

it('loses no accepted submission and pays each approval once when NATS is killed again and again', async (context) => {
  const { faults } = rig.stack.nats
  if (faults === null) return context.skip('the server is not ours to kill')
  const patient = { everyMs: 50 }
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) {
    const submitted = await eventually(
      () =>
        rig
          .as(agent(1), { idempotencyKey: `submit-${n}`, deadline: Date.now() + 1_000 })
          .submitMetadata({ exchange: 'binance', symbol: `T${n}/USDT`, entries: [text('team', n)] }),
      patient,
    )
    const id = 'submission_ids' in submitted ? (submitted.submission_ids[0] ?? '') : ''
    ids.push(id)
    const approving = rig
      .as(reviewer(50), { idempotencyKey: `review-${n}`, deadline: Date.now() + 1_000 })
      .reviewSubmission({ id, decision: 'approve' })
    const outcome = approving.catch(() => null)
    if (n % 2 === 0) {
      await faults.kill()
      await faults.start()
    }
    await outcome
    await eventually(
      () => rig.as(reviewer(50), { deadline: Date.now() + 1_000 }).reviewSubmission({ id, decision: 'approve' }),
      patient,
    )
  }
  await eventually(async () => {
    const { items } = await rig.as(agent(1)).listSubmissions({ limit: 200 })
    return items.length === ids.length && items.every((item) => item.payout?.status === 'paid')
  }, patient)
  expect(rig.world.booked.map((line) => line.submission_id).toSorted()).toEqual(ids.toSorted())
})
