import type { z } from 'zod'
import type { overviewOperations } from '@svc/contracts/mandates/overview'
import type { OwnStatement } from '@svc/contracts/mandates/statements'

/** Answer of `GET /hub/mandates`. */
export type MandateList = z.output<(typeof overviewOperations.listMandates)['success'][200]>
/** Answer of `GET /hub/mandates/{public_id}/live`. */
export type Live = z.output<(typeof overviewOperations.readLive)['success'][200]>
/** Answer of `GET /hub/me/statement`. */
export type Week = OwnStatement
