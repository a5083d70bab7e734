import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { checksumAddress } from 'viem'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

/** What orders of this deployment carry: the most that the venue allows, in its text and in tenths of a basis point. */
const FEE = { max_fee_rate: '0.1%', max_fee: 100 } as const

export const readBuilderFee: BoundHandler<Context, typeof hlRelay.operations.readBuilderFee> =
  ({ settings }) =>
  async () => {
    const { builderAddress } = settings
    const builder = builderAddress === null ? null : checksumAddress(builderAddress as `0x${string}`)
    return ok(200, { configured: builder !== null, builder, ...FEE })
  }
