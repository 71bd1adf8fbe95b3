import type { CorporaOf, CorporaRead, None } from '../handler/handler.ts'
import type { Service } from '../manifest/service.ts'
import type { Database } from './database.ts'

/**
 * Receives the progress of long work: `done` of `total` rows (or steps) of what `label` names. `total` is undefined
 * while it is not known.
 */
export type Progress = (step: Readonly<{ label: string; done: number; total: number | undefined }>) => void

/** A logger as far as services need one: a message and facts that may be written down. */
export type ServiceLog = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (facts: Readonly<Record<string, unknown>>, message: string) => void>
>

/** Who may make an account of their own. */
export const signUps = ['closed', 'invite', 'open'] as const

/** What an operator sets for services. */
export type ServiceSettings = Readonly<{
  /** Mail server, with what signs in to it; never logged. */
  smtpUrl?: string | undefined
  /** Address that mail comes from. */
  mailFrom?: string | undefined
  signUp: (typeof signUps)[number]
  /** How many draws may be begun in a day. */
  drawsADay?: number
}>

export const noSettings: ServiceSettings = Object.freeze({ signUp: 'closed' })

/** What a root's services may know of the process they run in. `C` is what its `surfaces/corpora.ts` declares. */
export type ServicesGiven<C extends CorporaRead = None> = Readonly<{
  /** The one database of the process, opened for the first root that asks. It is closed by the process. */
  database: () => Promise<Database>
  /** Folder the process may write to. */
  dataDir: string
  service: Service
  settings: ServiceSettings
  /** The corpora that the services declare. */
  corpora: CorporaOf<C>
  log: ServiceLog
}>

/**
 * State of one subsystem. `isReadable` is for what the service is there for: while it is false, `/readyz` sends traffic
 * elsewhere.
 */
export type Health = Readonly<{ status: 'ok' | 'degraded' | 'down'; detail: string; isReadable?: boolean }>

/** What one domain of a root opens: its services, and what has to be done for them. */
export type ServicesPart<Services> = Readonly<{
  services: Services
  prepare?: (progress: Progress) => Promise<void>
  /** By the name of a subsystem; never rejects. */
  health?: Readonly<Record<string, () => Promise<Health>>>
  /** Ends what runs beside requests. The database is still open. */
  close?: () => Promise<void>
}>

/** The services of one root, as `surfaces/services.ts` opens them. */
export type RootServices<Services = Readonly<Record<string, unknown>>> = Readonly<{
  /** What handlers are given. */
  services: Services
  /**
   * Fills the stores, once the migrations of all roots have run. Idempotent; rejects while a store cannot be reached.
   */
  prepare?: (progress: Progress) => Promise<void>
  /** State of each subsystem by name; never rejects. The database reports its own. */
  health?: () => Promise<Readonly<Record<string, Health>>>
  close?: () => Promise<void>
}>

/** Default export of a root's `surfaces/services.ts`. */
export type OpenServices<Services = Readonly<Record<string, unknown>>, C extends CorporaRead = None> = (
  given: ServicesGiven<C>
) => RootServices<Services> | Promise<RootServices<Services>>

/** Joins what the domains of a root open. Their stores are filled one after the other. */
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
