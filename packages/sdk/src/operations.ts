import type { Operations } from './generated/types.ts'

/** Name of an operation, as in the OpenAPI document. */
export type OperationName = keyof Operations

/** Input of an operation: the members of its path, its query and its body in one object. */
export type Input<K extends OperationName> = Operations[K]['input']

/** Body of a successful answer. Files are bytes. */
export type Answer<K extends OperationName> = Operations[K]['answer']

/** Codes with which an operation may be refused. */
export type Code<K extends OperationName> = Operations[K]['code']

/** A session of an owner, as `signIn` returns it. It is a secret. */
export type Session = Answer<'openSession'>
