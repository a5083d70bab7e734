import { z } from 'zod'
import { instant } from '../common.ts'
import { usdc } from './fields.ts'

/** Use of the daily cap: one sum of the vault, the leg and held approvals. */
export const mandateUsage = z
  .object({
    day: z.string().max(10).meta({ description: 'UTC day' }),
    used_usdc: usdc.meta({ description: 'USDC spent by calls on that day, from chain facts only' }),
    leg_used_usdc: usdc.meta({
      description: 'Fills of orders of the leg that opened, each on the UTC day of its reservation',
    }),
    reserved_usdc: usdc.meta({
      description: 'Reserved for orders of the leg that are not resolved, at the reference price',
    }),
    held_usdc: usdc.meta({ description: 'USDC of held calls and orders, pending or approved' }),
    left_usdc: usdc.meta({ description: 'What the other four figures leave of the daily cap' }),
    resets_at: instant,
  })
  .meta({ title: 'MandateUsage', description: 'Daily cap and its use' })
export type MandateUsage = z.output<typeof mandateUsage>
