import type { JsonSchema } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { BodyInput, FileInput } from './surface.ts'

/** What the framework may know of code before a request: its schemas. */
export type HandlerShape = Readonly<{
  /**
   * `derive`: it answers once, from what was loaded, and is given neither a request nor services. `view`: it writes a
   * page of what other surfaces answer. Default `handle`.
   */
  form?: 'derive' | 'view'
  params?: JsonSchema
  query?: JsonSchema
  /** Schemas of further query parameters, by name, that follow from the corpora it declares. */
  queryFrom?: (corpora: Readonly<Record<string, Corpus>>) => Readonly<Record<string, JsonSchema>>
  body?: BodyInput
  bytes?: Readonly<{ limitBytes: number }>
  /** Files beside the fields of the body, by name. */
  files?: Readonly<Record<string, FileInput>>
  /** Statuses of refusals of its own, which do not follow from its input and its access. */
  refuses?: readonly number[]
  /** What it reads of corpora: for each, by its name, the schema of an entry. */
  corpora?: Readonly<Record<string, JsonSchema>>
  /**
   * Where the entries are that a caller may choose members of with `fields`: in the list `in` of the reply, or without
   * it the reply itself. `key`: the member that names an entry, which every answer has.
   */
  entries?: Readonly<{ in?: string; key: string }>
  /** Of a view: what it reads of the surfaces that its page shows, and of those that it can do without, by name. */
  shows?: Readonly<Record<string, JsonSchema>>
  besides?: Readonly<Record<string, JsonSchema>>
  /** Of a page: the code of its forms, by name. */
  forms?: Readonly<Record<string, HandlerShape>>
  /** Of a form, whose fields are its body: what its view reads of the surface that it is sent to. */
  sent?: JsonSchema
  /** Schema of the reply's `data`. */
  reply: JsonSchema
}>

/** The id of a form, and of its code: that of its page, and its name. */
export const formId = (page: string, name: string): string => `${page}#${name}`

/** The id of the page that a form belongs to; any other id as it is. */
export const pageIdOf = (id: string): string => id.replace(/#.*/, '')

/** The name of a form in its page. */
export const formNameOf = (id: string): string => id.replace(/.*#/, '')
