import type { Corpus } from '../corpus/corpus.ts'
import type { Service } from '../manifest/service.ts'
import type { Database } from './database.ts'

/** Told of long work: `done` of `total` rows (or steps) of what `label` names. `total` is undefined while it is not known. */
export type Progress = (step: Readonly<{ label: string, done: number, total: number | undefined }>) => void

/** A logger as far as services need one: a message and facts that may be written down. */
export type ServiceLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (facts: Readonly<Record<string, unknown>>, message: string) => void>>

/** What a root's services may know of the process they run in. */
export type ServicesGiven = Readonly<{
  /** The one database of the process, opened for the first root that asks. It is closed by the process. */
  database: () => Promise<Database>
  /** Folder the process may write to. */
  dataDir: string
  service: Service
  corpora: ReadonlyMap<string, Corpus>
  log: ServiceLog
}>

/** The services of one root, as `surfaces/services.ts` opens them. */
export type RootServices<Services = Readonly<Record<string, unknown>>> = Readonly<{
  /** What handlers are given. */
  services: Services
  /** Fills the stores, once the migrations of all roots have run. Idempotent; rejects while a store cannot be reached. */
  prepare?: (progress: Progress) => Promise<void>
  /** State of each subsystem by name; never rejects. The database reports its own. */
  health?: () => Promise<Readonly<Record<string, Readonly<{ status: 'ok' | 'degraded' | 'down', detail: string }>>>>
  close?: () => Promise<void>
}>

/** Default export of a root's `surfaces/services.ts`. */
export type OpenServices<Services = Readonly<Record<string, unknown>>> = (given: ServicesGiven) => RootServices<Services> | Promise<RootServices<Services>>
