import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { Corpus, CorpusChecks, FixedDocument } from '../corpus/corpus.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { HandlerShape, Kind } from '../manifest/kind.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import type { BuildCache } from '../source/compiled.ts'
import type { Language } from '../vocabulary/language.ts'
import type { Asset } from './assets.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import type { RecordedNames } from './recorded-names.ts'

/**
 * All checked declarations of the roots. A discovery document depends on nothing but this value, the request, and, if
 * it is live, what the running process observes.
 */
export type Registry = Readonly<{
  service: Service
  kinds: readonly Kind[]
  /** Names of the joined roots, in load order. */
  roots: readonly string[]
  /** All surfaces except forms, sorted by path, methods and id. */
  surfaces: readonly Surface[]
  /** The forms of pages. They have routes, but are in no discovery document. */
  forms: readonly Surface[]
  byId: ReadonlyMap<string, Surface>
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  /** The bytes of the files of manifests, also of those with errors, by path as displayed in messages. */
  manifests: ReadonlyMap<string, Uint8Array>
  /** The files that pages load, by file name without the hash. */
  assets: ReadonlyMap<string, Asset>
  extensions: readonly DocumentExtension[]
  answers: RecordedAnswers
  /** What `translations/` of all roots says, by language: for each text the same in that language. */
  dictionaries: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The language of this registry; `inLanguage` returns the registry in another one. */
  language: Language
  /** The recorded names of operations; undefined if the service records none. */
  names?: RecordedNames
  /**
   * Only of a service under a path: that path, such as `/pantry`, with which all routes of this registry begin, and the
   * registry as the files say it.
   */
  moved?: Readonly<{ base: string; from: Registry }>
  /** SHA-256 over all files and handler schemas that were loaded, in lowercase hex. */
  digest: string
}>

/** Name of the framework's own root. */
export const standardRoot = 'standard'

/** Whether a surface is one of the framework, which every service may have. */
export const isStandard = ({ origin }: Surface): boolean => origin.root === standardRoot

/** A folder with `manifests/` and `corpora/`, and the handlers that its code exports, which the caller has imported. */
export type Root = Readonly<{
  name: string
  folder: string
  /** Checks of the root's corpora beyond their schemas. */
  checks?: CorpusChecks
  /**
   * The schema of an entry of each corpus that the services of the root read, and the file of the code that says so.
   */
  reads?: Readonly<{ file: string; corpora: Readonly<Record<string, JsonSchema>> }>
  handlers: ReadonlyMap<string, HandlerShape>
  /** The file of each handler, by the id of the handler. Paths are as displayed in messages. */
  handlerFiles: ReadonlyMap<string, string>
  extensions?: readonly DocumentExtension[]
  /** Diagnostics from importing the code of the root. */
  problems: readonly Diagnostic[]
  /** Digests of the code of the framework and of the root; undefined unless both are bundled by a build. */
  code?: string
  compiled?: BuildCache
}>

/** Members that a root adds to a discovery document; `surfaces/discovery.ts` exports a list of these. */
export type DocumentExtension = Readonly<{
  document: string
  /** Path to an object in the document: member names, or `*` for every item or member. */
  within?: readonly string[]
  /** The member of the object after which the new members are inserted. Without this member, none is inserted. */
  after: string
  /** Schemas of the new members, all required. */
  members: Readonly<Record<string, object>>
  /** Returns the new members of one object (`place`) that `within` leads to. */
  build: (registry: Registry, place: JsonObject) => JsonObject
}>

type Members<T> = Readonly<Record<string, T>>

const insertAfter = <T>(object: Members<T>, after: string, members: Members<T>): Members<T> =>
  Object.fromEntries(
    Object.entries(object).flatMap(entry => (entry[0] === after ? [entry, ...Object.entries(members)] : [entry]))
  )

/** Applies a change to the members that one step of a path names: one member, or all of them for `*`. */
const changeMembers = <T>(object: Members<T>, step: string, change: (member: T) => T): Members<T> =>
  Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, step === '*' || name === step ? change(member) : member])
  )

/** Applies a change to every object that a path leads to. */
function changeWithin(value: JsonValue, path: readonly string[], change: (place: JsonObject) => JsonObject): JsonValue {
  const [step, ...rest] = path
  if (Array.isArray(value))
    return step === '*'
      ? (value as readonly JsonValue[]).map(item => changeWithin(item, rest, change))
      : (value as readonly JsonValue[])
  if (!isObject(value)) return value
  return step === undefined ? change(value) : changeMembers(value, step, member => changeWithin(member, rest, change))
}

/**
 * Applies a change to every schema at a path within a schema. The step `*` goes into `items` and `patternProperties`,
 * any other step into `properties`.
 */
function changeSchemaWithin(
  schema: JsonSchema,
  path: readonly string[],
  change: (place: JsonSchema) => JsonSchema
): JsonSchema {
  const [step, ...rest] = path
  if (step === undefined) return change(schema)
  const inner = (part: unknown): unknown => (isObject(part) ? changeSchemaWithin(part, rest, change) : part)
  const members = (part: unknown): unknown => (isObject(part) ? changeMembers(part, step, inner) : part)
  const places = step === '*' ? { items: inner, patternProperties: members } : { properties: members }
  const changed = Object.entries(places).flatMap(([name, changePart]) =>
    schema[name] === undefined ? [] : [[name, changePart(schema[name])] as const]
  )
  return { ...schema, ...Object.fromEntries(changed) }
}

/** Returns the value of a discovery document with the members that roots add to it. */
export const extendValue = (registry: Registry, document: string, value: JsonValue): JsonValue =>
  registry.extensions
    .filter(extension => extension.document === document)
    .reduce(
      (extended, { within = [], after, build }) =>
        changeWithin(extended, within, place => insertAfter(place, after, build(registry, place))),
      value
    )

/** Returns the schema of a discovery document with the members that roots add to it. */
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
          properties: insertAfter<object>(propertiesOf(place), after, members),
          required: requiredOf(place).flatMap(name => (name === after ? [name, ...Object.keys(members)] : [name]))
        })),
      schema
    )
