import type { Refusal } from '@svc/contract'
import type { z } from 'zod'

/** Content of an answer of a place, by its media type. */
interface PlaceAnswer {
  readonly description: string
  /** Headers beside those of every answer. */
  readonly headers?: readonly string[]
  readonly content: Readonly<Record<string, z.ZodType>>
}

/** A place that no operation declares, such as the tools of agents, as the documents describe it. */
export interface DescribedPlace {
  /** Contract under whose title documents list the place. */
  readonly service: string
  /** Name among the operations of the documents. */
  readonly key: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly description: string
  /** What a request costs: nothing, or what the route costs that it calls. */
  readonly costs: 'free' | 'as its route'
  /** Members of the query; all of them are optional. */
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Answers by status: successes, and failures whose body does not have the form of a problem of this API. */
  readonly answers: Readonly<Record<number, PlaceAnswer>>
  readonly refusals: readonly Refusal[]
}
