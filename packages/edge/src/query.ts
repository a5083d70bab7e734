import { parse } from 'fast-querystring'
import type { FastifyRequest } from 'fastify'

/** Returns the members of the query of a request; one that is repeated is an array. */
export const queryOf = ({ query }: FastifyRequest): Record<string, unknown> => parse(query as string)
