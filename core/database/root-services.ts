import type { Knex } from 'knex'
import type { Static, TObject } from 'typebox'
import type { CorporaOf, CorporaRead, None } from '../handler/handler.ts'
import type { Service } from '../manifest/service.ts'
import type { Database } from './database.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/**
 * Receives the progress of long work: `done` of `total` rows (or steps) of `label`. `total` is undefined while unknown.
 */
export type Progress = (step: Readonly<{ label: string; done: number; total: number | undefined }>) => void

/** A logger for services: takes fields, which must be safe to log, and a message. */
export type ServiceLog = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (facts: Readonly<Record<string, unknown>>, message: string) => void>
>

/**
 * The settings of a root's services, as its `surfaces/settings.ts` declares them: a JSON Schema object whose properties
 * are strings, numbers and booleans. The environment variable `PANTRY_MOST_LOANS` sets `mostLoans`; without it
 * `default` is the value. `description` says the purpose; a `writeOnly` setting is never shown (JSON Schema Validation
 * §9.4).
 */
export type SettingsSchema = TObject

/**
 * Values of settings by key. Each root uses those that it declares. They take precedence over environment variables.
 */
export type SettingsGiven = Readonly<Record<string, unknown>>

/**
 * What the services of a root get from the process. `C` is the type of the corpora that `surfaces/corpora.ts` declares,
 * `S` that of the settings in `surfaces/settings.ts`.
 */
export type ServicesGiven<C extends CorporaRead = None, S extends TObject = TObject<None>> = Readonly<{
  /** Returns the database of the process, opened at the first call of any root. The process closes it. */
  database: () => Promise<Database>
  /** Folder that the process may write to. */
  dataDir: string
  service: Service
  settings: Readonly<Static<S>>
  /** The corpora that the services declare to read. */
  corpora: CorporaOf<C>
  log: ServiceLog
  /** Tells others what has changed, by the types of `surfaces/webhooks.ts`. */
  webhooks: Webhooks
}>

/**
 * Returns the data folder of the process that a knex instance or transaction belongs to; an empty text for an instance
 * that only reads or is not of a `Database`.
 */
export const dataDirOf = ({ userParams }: Knex): string =>
  (userParams as Readonly<{ dataDir?: string }> | undefined)?.dataDir ?? ''

/**
 * The state of one subsystem. `isReadable`: whether the data that the service exists for can be read; `/readyz` answers
 * 503 while it is false for any subsystem.
 */
export type Health = Readonly<{ status: 'ok' | 'degraded' | 'down'; detail: string; isReadable?: boolean }>

/** The services of one domain of a root, and how to prepare, check and close them. */
export type ServicesPart<Services> = Readonly<{
  services: Services
  prepare?: (progress: Progress) => Promise<void>
  /** Health checks by the name of the subsystem. */
  health?: Readonly<Record<string, () => Promise<Health>>>
  /** Ends background work, before the process closes the database. */
  close?: () => Promise<void>
}>

/** The services of one root, as `surfaces/services.ts` opens them. */
export type RootServices<Services = Readonly<Record<string, unknown>>> = Readonly<{
  /** The services that handlers get. */
  services: Services
  /**
   * Fills the stores, after the migrations of all roots have run. May be called again; rejects if a store cannot be
   * reached.
   */
  prepare?: (progress: Progress) => Promise<void>
  /**
   * Fills the stores with what a service in use has, such as people and what they offer. Only tests call it, after
   * `prepare`, over a database of their own; claims are tried on such a service too.
   */
  fillForTests?: () => Promise<void>
  /**
   * Returns the state of each subsystem by name, except the database. If it rejects, or takes longer than five seconds,
   * health says so of the services of the root.
   */
  health?: () => Promise<Readonly<Record<string, Health>>>
  close?: () => Promise<void>
}>

/** Default export of a root's `surfaces/services.ts`. */
export type OpenServices<
  Services = Readonly<Record<string, unknown>>,
  C extends CorporaRead = None,
  S extends TObject = TObject<None>
> = (given: ServicesGiven<C, S>) => RootServices<Services> | Promise<RootServices<Services>>

/**
 * Joins the parts of a root's services. `prepare` and `close` call those of the parts one after the other, `health` all
 * at once.
 */
export const joinParts = <Services>(
  services: Services,
  parts: readonly ServicesPart<unknown>[]
): RootServices<Services> => ({
  services,
  prepare: async progress => {
    for (const part of parts) await part.prepare?.(progress)
  },
  health: async () => {
    const asked = parts.flatMap(({ health = {} }) => Object.entries(health))
    return Object.fromEntries(await Promise.all(asked.map(async ([name, look]) => [name, await look()] as const)))
  },
  close: async () => {
    for (const part of parts) await part.close?.()
  }
})
