import { z } from 'zod'

/**
 * The rules of the ERC-7730 version 2 JSON schema, as far as our descriptors go, written out by hand: every object is
 * closed, so that a member the standard does not know is refused.
 */
const addressText = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const path = z.string().regex(/^(@\.|\$\.|#\.)?[A-Za-z_][A-Za-z0-9_]*(\.(\[-?\d*\]|[A-Za-z_][A-Za-z0-9_]*))*$/)
const label = z.string().min(1)
const deployments = z.array(z.strictObject({ chainId: z.int().positive(), address: addressText })).min(1)

const oneOf = (a: string, b: string) => (value: object) => a in value !== b in value

const common = { path, label }
const field = z.discriminatedUnion('format', [
  z.strictObject({ ...common, format: z.literal('raw') }),
  z.strictObject({ ...common, format: z.literal('tokenTicker') }),
  z.strictObject({
    ...common,
    format: z.literal('addressName'),
    params: z.strictObject({
      types: z.array(z.enum(['wallet', 'eoa', 'contract', 'token', 'collection'])).optional(),
      sources: z.array(z.string()).optional(),
    }),
  }),
  z.strictObject({
    ...common,
    format: z.literal('tokenAmount'),
    params: z
      .strictObject({
        token: z.union([addressText, z.string().startsWith('$.')]).optional(),
        tokenPath: path.optional(),
        threshold: z
          .string()
          .regex(/^0x[0-9a-f]+$/)
          .optional(),
        message: z.string().optional(),
      })
      .refine(oneOf('token', 'tokenPath')),
  }),
  z.strictObject({
    ...common,
    format: z.literal('date'),
    params: z.strictObject({ encoding: z.enum(['blockheight', 'timestamp']) }),
  }),
  z.strictObject({
    ...common,
    format: z.literal('unit'),
    params: z.strictObject({ base: z.string().min(1), decimals: z.int().min(0).optional() }),
  }),
  z.strictObject({
    ...common,
    format: z.literal('calldata'),
    params: z
      .strictObject({ callee: addressText.optional(), calleePath: path.optional() })
      .refine(oneOf('callee', 'calleePath')),
  }),
])
const group = z.strictObject({
  label,
  iteration: z.enum(['sequential', 'bundled']).optional(),
  fields: z.array(field).min(1),
})

/** `name(type name, …)`; a struct is written as its members in parentheses, one level deep. */
const plain = String.raw`[a-z0-9]+(\[\d*\])* [A-Za-z_]\w*`
const struct = (inner: string) => String.raw`\(${inner}(, ${inner})*\)(\[\d*\])* [A-Za-z_]\w*`
const argument = `(${plain}|${struct(`(${plain}|${struct(plain)})`)})`
const signature = new RegExp(String.raw`^[A-Za-z_]\w*\((${argument}(, ${argument})*)?\)$`)
const structType = String.raw`[A-Za-z_]\w*\([A-Za-z_]\w*(\[\])? [A-Za-z_]\w*(,[A-Za-z_]\w*(\[\])? [A-Za-z_]\w*)*\)`

const display = (key: RegExp) =>
  z.strictObject({
    formats: z.record(
      z.string().regex(key),
      z.strictObject({
        intent: z.string().min(1),
        interpolatedIntent: z.string().optional(),
        fields: z.array(z.union([field, group])),
      }),
    ),
  })

const metadata = z.strictObject({
  owner: z.string().min(1),
  contractName: z.string().optional(),
  constants: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
})
const $schema = z.literal('https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json')

/** A descriptor of typed data. */
export const typedDataDescriptor = z.strictObject({
  $schema,
  context: z.strictObject({
    $id: z.string(),
    eip712: z.strictObject({
      domain: z.strictObject({ name: z.string(), version: z.string() }),
      deployments,
    }),
  }),
  metadata,
  display: display(new RegExp(`^(${structType})+$`)),
})

/** A descriptor of calls. */
export const calldataDescriptor = z.strictObject({
  $schema,
  context: z.strictObject({
    $id: z.string(),
    contract: z
      .strictObject({
        deployments: deployments.optional(),
        factory: z.strictObject({ deployments, deployEvent: z.string().min(1) }).optional(),
      })
      .refine(oneOf('deployments', 'factory')),
  }),
  metadata,
  display: display(signature),
})
