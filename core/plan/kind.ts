import type { JsonValue } from '../canonical/json.ts'
import type { Corpus, FixedDocument } from '../corpus/corpus.ts'
import type { Observations } from '../discovery/discovery.ts'
import type { Site } from '../format/format.ts'
import type { Ask, Reply, SurfaceRequest } from '../handler/handler.ts'
import type { Beside, FormGiven, PageContent, PageGiven, Sent } from '../handler/page.ts'
import type { SentFiles } from '../handler/sent-file.ts'
import type { HandlerShape } from '../manifest/kind.ts'
import type { PathTo, Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Capability } from '../vocabulary/capabilities.ts'
import type { PlanRequest } from './request.ts'
import type { ContentSource } from './result.ts'

/** A handler bound to the services of its root, to the corpora that it declares and to the paths of the registry. */
export type BoundHandler = Readonly<{
  shape: Pick<HandlerShape, 'entries' | 'reply'>
  corpora: Readonly<Record<string, Corpus>>
  pathTo: PathTo
  handle: (request: SurfaceRequest) => Reply | Promise<Reply>
  /**
   * Returns the version of the data that replies depend on beside the declared input; absent if replies may depend on
   * anything else.
   */
  version?: ((now: Date) => Promise<string>) | undefined
}>

/** Returns the reply of a derivation (code that answers once). */
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

/** Returns the version of the data that the answers of a surface depend on beside their input. */
export type Version = (now: Date) => Promise<string>

/** Returns, for a request, the function by which its handler asks other surfaces. */
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

/** What a kind with the capabilities `C` is given, and nothing else. */
export type Given<C extends Capability = Capability> = Pick<Everything, C>

/** The part of a kind that compiles surfaces. */
export type CompiledKind<A = unknown, C extends Capability = Capability> = Readonly<{
  name: string
  reaches: readonly C[]
  /**
   * Returns the source of a surface's content. The type of `given` enforces `reaches`: anything else does not compile.
   */
  compile: (surface: Surface<A>, given: Given<C>) => ContentSource<PlanRequest>
}>

/** Picks what a kind may use, as its `reaches` lists it. */
export const givenTo = ({ reaches }: CompiledKind, everything: Everything): Given =>
  // The object is partial on purpose: `compile` of the kind uses only what `reaches` lists.
  Object.fromEntries(reaches.map(name => [name, everything[name]])) as Given
