import type { Static, TSchema } from 'typebox'

/** A value that may be sent: what is read-only in code is sent as well, at every depth. */
export type Served<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Served<Item>[]
    : { readonly [Place in keyof T]: Served<T[Place]> }
  : T extends object
    ? { readonly [Name in keyof T]: Served<T[Name]> }
    : T

/** The data that a schema describes, as code writes it. */
export type DataOf<S extends TSchema> = Served<Static<S>>
