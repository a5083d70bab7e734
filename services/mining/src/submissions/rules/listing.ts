import { fields } from './field-catalogue.ts'
import type { TokenState } from './judge-entries.ts'

/** Returns the fields of a token with what each pays at a point price. Totals count the fields without a value. */
export function listing(tokenId: string, pointPrice: number, token: TokenState) {
  const empty = fields.filter((field) => !token.current.has(field.name))
  const points = empty.reduce((sum, field) => sum + field.points, 0)
  return {
    token_id: tokenId,
    total_empty: empty.length,
    total_points: points,
    total_cherry_on_approval: points * pointPrice,
    total_cherry: points * pointPrice,
    groups: [...Map.groupBy(fields, (field) => field.group)].map(([key, members]) => ({
      key,
      fields: members.map((field) => ({
        field: field.name,
        points: field.points,
        cherry_on_approval: field.points * pointPrice,
        cherry: field.points * pointPrice,
        current_value: token.current.get(field.name) ?? null,
        pending: token.pending.has(field.name),
      })),
    })),
  }
}
