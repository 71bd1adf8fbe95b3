import type { Static, TSchema } from 'typebox'

/** `T` with every object and array read-only, at every depth, so that read-only values of code can be sent as well. */
export type Served<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Served<Item>[]
    : { readonly [Place in keyof T]: Served<T[Place]> }
  : T extends object
    ? { readonly [Name in keyof T]: Served<T[Name]> }
    : T

/** The type of the data that a schema describes, with everything read-only. */
export type DataOf<S extends TSchema> = Served<Static<S>>
