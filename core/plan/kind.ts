import type { JsonValue } from '../canonical/json.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { FixedDocument } from '../corpus/document.ts'
import type { Observations } from '../discovery/discovery.ts'
import type { Site } from '../format/page.ts'
import type { Ask, Reply, SurfaceRequest } from '../handler/handler.ts'
import type { Beside, FormGiven, PageContent, PageGiven, Sent } from '../handler/page.ts'
import type { SentFiles } from '../handler/sent-file.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import type { PathTo } from '../manifest/path-to.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Target } from '../manifest/target.ts'
import type { Registry } from '../registry/registry.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { PlanRequest } from './request.ts'
import type { ContentSource } from './result.ts'

/**
 * A handler with what it was written for: the services of its root, the corpora that it declares, the paths of the
 * registry.
 */
export type BoundHandler = Readonly<{
  shape: Pick<HandlerShape, 'entries' | 'reply'>
  corpora: Readonly<Record<string, Corpus>>
  pathTo: PathTo
  handle: (request: SurfaceRequest) => Reply | Promise<Reply>
  /** Of what a reply follows from beside the declared input; absent where a reply may follow from more. */
  version?: ((now: Date) => Promise<string>) | undefined
}>

/** The answer of code that answers once. */
export type BoundDerivation = () => Reply

type Shown = Readonly<{
  shown: Readonly<Record<string, JsonValue>>
  beside: Readonly<Record<string, Beside<JsonValue>>>
}>

type ViewGiven = Omit<PageGiven, keyof Shown | 'pathTo'> & Shown

/** A form: `toBody` makes a JSON body of its fields, and `view` a page of what the surface answered. */
export type BoundForm = Readonly<{
  toBody: (form: JsonValue, files: SentFiles) => JsonValue
  view: (given: ViewGiven & Pick<FormGiven, 'form' | 'back'> & Readonly<{ sent: Sent<JsonValue> }>) => PageContent
}>

/** The view of a page, given what it shows, and its forms by name. */
export type BoundView = Readonly<{
  view: (given: ViewGiven) => PageContent
  forms: Readonly<Record<string, BoundForm>>
}>

/** The version of what answers of a surface follow from beside their input; `undefined` where they follow from more. */
export type Version = (now: Date) => Promise<string>

/** Gives a request the way to ask other surfaces. */
export type AskFrom = (request: PlanRequest) => Ask

type Everything = Readonly<{
  documents: ReadonlyMap<string, FixedDocument>
  corpora: ReadonlyMap<string, Corpus>
  registry: Registry
  observations: (now: Date) => Observations
  handlers: ReadonlyMap<string, BoundHandler>
  derivations: ReadonlyMap<string, BoundDerivation>
  views: ReadonlyMap<string, BoundView>
  site: Site
  service: Service
  ask: AskFrom
  versions: (target: Target) => Version | undefined
}>

/** What a kind that reaches `C` is given: these, and nothing else. */
export type Given<C extends Capability = Capability> = Pick<Everything, C>

/** The part of a kind that makes surfaces answer. */
export type CompiledKind<A = unknown, C extends Capability = Capability> = Readonly<{
  name: string
  reaches: readonly C[]
  /** Where the content of a surface comes from. The parameter types hold the line: what is not given cannot be used. */
  compile: (surface: Surface<A>, given: Given<C>) => ContentSource<PlanRequest>
}>

/** Picks for a kind what it reaches. */
export const givenTo = ({ reaches }: CompiledKind, everything: Everything): Given =>
  // A part on purpose: the kind's own compiler asks for no more than it reaches.
  Object.fromEntries(reaches.map(name => [name, everything[name]])) as Given
