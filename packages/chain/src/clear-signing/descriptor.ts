/** The members of an ERC-7730 version 2 descriptor that ours use. */

/** The format of one value. `params` depend on the format. */
export interface Format {
  readonly label: string
  readonly format: 'raw' | 'addressName' | 'tokenAmount' | 'tokenTicker' | 'date' | 'unit' | 'calldata'
  readonly params?: Readonly<Record<string, unknown>>
}

/** A value with its path: a member of the message, or an argument of the call. */
export interface Field extends Format {
  readonly path: string
}

/** Fields of the members of an array, shown member by member. */
export interface FieldGroup {
  readonly label: string
  readonly iteration: 'bundled'
  readonly fields: readonly Field[]
}

/** The display of one function or typed message. */
export interface FunctionFormat {
  readonly intent: string
  readonly interpolatedIntent?: string
  readonly fields: readonly (Field | FieldGroup)[]
}

/** A contract to which a descriptor is bound. */
export interface Deployment {
  readonly chainId: number
  readonly address: string
}

/** One descriptor file. */
export interface Descriptor {
  readonly $schema: string
  readonly context: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly display: { readonly formats: Readonly<Record<string, FunctionFormat>> }
}

/** Address of the standard's JSON schema. */
export const SCHEMA = 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json'
