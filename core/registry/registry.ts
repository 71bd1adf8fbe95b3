import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { Corpus, CorpusChecks, FixedDocument } from '../corpus/corpus.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape, Kind } from '../manifest/kind.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Compiled } from '../source/compiled.ts'
import type { Asset } from './assets.ts'
import type { RecordedAnswers } from './recorded-answers.ts'

/** All declarations of the roots, checked and frozen. Every discovery document is a pure function of this value. */
export type Registry = Readonly<{
  service: Service
  /** The kinds that a manifest may have. */
  kinds: readonly Kind[]
  /** Names of the joined roots, in load order. */
  roots: readonly string[]
  /** All surfaces, sorted by path and then method. */
  surfaces: readonly Surface[]
  /** The forms of pages, which have a route and are in no document. */
  forms: readonly Surface[]
  byId: ReadonlyMap<string, Surface>
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  /** The bytes of the manifests, by file path as displayed in messages. */
  manifests: ReadonlyMap<string, Uint8Array>
  /** The files that pages load, by file name. */
  assets: ReadonlyMap<string, Asset>
  /** The members that the roots add to discovery documents. */
  extensions: readonly DocumentExtension[]
  /** The answers to the examples, as last recorded. */
  answers: RecordedAnswers
  /** Lowercase hex SHA-256 over everything that was loaded: equal digests mean equal documents. */
  digest: string
}>

/** Name of the framework's own root. */
export const standardRoot = 'standard'

/**
 * A folder with `manifests/` and `corpora/`, and the handlers of its code. The caller passes the handlers as a table;
 * the registry does not import code.
 */
export type Root = Readonly<{
  name: string
  folder: string
  /** Checks of the root's corpora beyond their schemas. */
  checks?: CorpusChecks
  /** The corpora that the root's services read, and the file that declares this. */
  reads?: Readonly<{ file: string; corpora: Readonly<Record<string, JsonSchema>> }>
  handlers: ReadonlyMap<string, HandlerShape>
  /** The file of each handler, as displayed in messages. */
  handlerFiles: ReadonlyMap<string, string>
  /** The members that the root adds to discovery documents. */
  extensions?: readonly DocumentExtension[]
  /** Diagnostics from importing the code. */
  problems: readonly Diagnostic[]
  /** Digest of all code that reads the root, if a build recorded one. */
  code?: string
  /** What a build made from the files with that code. */
  compiled?: Compiled
}>

/** Members that a root adds to a discovery document. `surfaces/discovery.ts` exports a list of these by default. */
export type DocumentExtension = Readonly<{
  document: string
  /** Path to the place in the document: member names, or `*` for every item or member. Absent: the document itself. */
  within?: readonly string[]
  /** The existing member after which the new members are inserted. */
  after: string
  /** Schema of each new member, in order. All of them are required. */
  members: Readonly<Record<string, object>>
  /** Returns the new members for one object at that place. */
  build: (registry: Registry, place: JsonObject) => JsonObject
}>

const insertAfter = <T>(
  entries: readonly (readonly [string, T])[],
  after: string,
  more: readonly (readonly [string, T])[]
): Record<string, T> => Object.fromEntries(entries.flatMap(entry => (entry[0] === after ? [entry, ...more] : [entry])))

/** Applies a change to every object that a path leads to. */
function changeWithin(value: JsonValue, path: readonly string[], change: (place: JsonObject) => JsonObject): JsonValue {
  const [step, ...rest] = path
  if (Array.isArray(value))
    return step === '*'
      ? (value as readonly JsonValue[]).map(item => changeWithin(item, rest, change))
      : (value as readonly JsonValue[])
  if (!isObject(value)) return value
  if (step === undefined) return change(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      step === '*' || name === step ? changeWithin(member, rest, change) : member
    ])
  )
}

/** Applies a change to the schema of every such object. The step `*` goes into `items` and `patternProperties`. */
function changeSchemaWithin(
  schema: JsonSchema,
  path: readonly string[],
  change: (place: JsonSchema) => JsonSchema
): JsonSchema {
  const [step, ...rest] = path
  if (step === undefined) return change(schema)
  const inner = (part: unknown): unknown => (isObject(part) ? changeSchemaWithin(part, rest, change) : part)
  const members = (part: unknown): unknown =>
    isObject(part)
      ? Object.fromEntries(
          Object.entries(part).map(([name, member]) => [name, step === '*' || name === step ? inner(member) : member])
        )
      : part
  const places = step === '*' ? { items: inner, patternProperties: members } : { properties: members }
  return {
    ...schema,
    ...Object.fromEntries(
      Object.entries(places).flatMap(([name, go]) => (schema[name] === undefined ? [] : [[name, go(schema[name])]]))
    )
  }
}

/** Returns a document's value with the members that its extensions add. */
export const extendValue = (registry: Registry, document: string, value: JsonValue): JsonValue =>
  registry.extensions
    .filter(extension => extension.document === document)
    .reduce(
      (extended, { within = [], after, build }) =>
        changeWithin(extended, within, place =>
          insertAfter(Object.entries(place), after, Object.entries(build(registry, place)))
        ),
      value
    )

/** Returns a document's schema with the members that its extensions add. */
export const extendSchema = (
  extensions: readonly DocumentExtension[],
  document: string,
  schema: JsonSchema
): JsonSchema =>
  extensions
    .filter(extension => extension.document === document)
    .reduce(
      (extended, { within = [], after, members }) =>
        changeSchemaWithin(extended, within, place => ({
          ...place,
          properties: insertAfter(Object.entries(place['properties'] ?? {}), after, Object.entries(members)),
          required: ((place['required'] as string[] | undefined) ?? []).flatMap(name =>
            name === after ? [name, ...Object.keys(members)] : [name]
          )
        })),
      schema
    )
