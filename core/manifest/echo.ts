import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import { normaliseText } from './normalise-text.ts'
import type { AnswerSource, Echoes } from './surface.ts'

/** The echoed parameters of a surface; none for the kinds that have no echo. */
export const echoesOf = (answer: AnswerSource): Echoes => answer.kind === 'status-only' || answer.kind === 'document' ? answer.echo ?? {} : {}

/** Schemas of the echoed parameters that stand in the path or in the query. */
export function echoedIn (place: 'path' | 'query', answer: AnswerSource, placeholders: readonly string[]): Record<string, JsonSchema> {
  const here = Object.entries(echoesOf(answer)).filter(([name]) => placeholders.includes(name) === (place === 'path'))
  return Object.fromEntries(here.map(([name, { description, maxLength, pattern }]) => [name, { type: 'string', minLength: 1, maxLength, pattern, description }]))
}

/** The schema of a document with the echoed parameters as members of their own. */
export function withEchoed (document: JsonSchema, answer: AnswerSource, placeholders: JsonSchema): JsonSchema {
  const echoes = Object.entries(echoesOf(answer))
  if (echoes.length === 0) return document
  const inPath = placeholders['properties'] as JsonObject
  const members = echoes.map(([name, { description, maxLength }]) => [name, { type: name in inPath ? 'string' : ['string', 'null'], maxLength, description }] as const)
  return {
    ...document,
    properties: { ...document['properties'] as JsonObject, ...Object.fromEntries(members) },
    required: [...document['required'] as string[] | undefined ?? [], ...members.map(([name]) => name)]
  }
}

/** The members that echoed parameters become: their normalised text, or null where a parameter was left out. */
export const echoed = (echoes: Echoes, given: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(echoes).map(([name, { normalise }]) => {
    const value = given[name]
    return [name, typeof value === 'string' ? normaliseText(value, normalise) : null]
  }))
