import type { JsonSchema } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { BodyInput, FileInput } from './surface.ts'

/** What the framework knows of a handler's code before a request: mostly its schemas. */
export type HandlerShape = Readonly<{
  /**
   * `derive`: computes one answer from what was loaded, without a request or services. `view`: writes a page from the
   * answers of other surfaces. Default `handle`.
   */
  form?: 'derive' | 'view'
  params?: JsonSchema
  query?: JsonSchema
  /** Returns the schemas of further query parameters, by name, derived from the corpora that the handler declares. */
  queryFrom?: (corpora: Readonly<Record<string, Corpus>>) => Readonly<Record<string, JsonSchema>>
  body?: BodyInput
  bytes?: Readonly<{ limitBytes: number }>
  /** Uploaded files sent with the fields of the body, by name. */
  files?: Readonly<Record<string, FileInput>>
  /** Further error statuses of the handler that do not follow from its input and access. */
  refuses?: readonly number[]
  /** The corpora that the handler reads: the schema of an entry, by corpus name. */
  corpora?: Readonly<Record<string, JsonSchema>>
  /**
   * The entries whose members a caller may select with `fields`: the list in the reply's member `in`, or without `in`
   * the reply itself. `key` is the member that identifies an entry and is always included.
   */
  entries?: Readonly<{ in?: string; key: string }>
  /**
   * For a view: what it reads of the surfaces that its page shows (`shows`) and of optional ones (`besides`), by name.
   */
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
