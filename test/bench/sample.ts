/** What Pantry answers at a path, so that the others can send the same. */
export type Answered = Readonly<{
  /** `/a/:key`, as routers write it. */
  route: string
  status: number
  etag: string | undefined
  /**
   * Those that describe the content or the service; not those of a connection, nor those that differ at each request.
   * In a `link` the path asked for is `{path}`, and its key in other paths `{key}`.
   */
  headers: Readonly<Record<string, string>>
  /** By the key in the path; one with the empty key where the path has none. */
  bodies: Readonly<Record<string, string>>
}>

/** The last part of a path: the key, where the path has one. */
export const keyIn = (path: string): string => /[^/?]*(?=\?|$)/.exec(path)?.[0] ?? ''

/** A `link` for another path: each server fills it in at each request, as Pantry does. */
export const linkTemplate = (link: string, path: string): string =>
  link.replaceAll(`<${path}>`, '<{path}>').replaceAll(`/${keyIn(path)}>`, '/{key}>')
export const linkFor = (template: string, path: string): string =>
  template.replaceAll('{path}', path).replaceAll('{key}', keyIn(path))

/** What a candidate needs to know. The bench writes it to a file, from answers of Pantry. */
export type Sample = Readonly<{
  databaseUrl: string
  fixed: readonly Answered[]
  missing: Answered
  refused: Answered
  /** What is answered from the database: one example of each, to be filled from rows. */
  card: Answered
  batch: Answered
  set: Answered
  search: Answered
}>
