import type { AddressInfo } from 'node:net'
import type { CallerSalt } from '../../core/http/caller-hash.ts'
import type { MetricValues } from '../../core/http/metrics.ts'
import type { Config } from '../config.ts'
import type { ListenAddress } from '../ports.ts'
import type { ReadRegistry } from '../read-registry.ts'

/** Everything a worker needs in order to answer exactly as the other workers do. */
export type Assignment = Readonly<{
  config: Config
  place: ListenAddress
  roots: readonly string[]
  checkReplies: boolean
  files: ReadRegistry['files']
  startedAt: Date
  isReady: boolean
  callerSalt: CallerSalt
}>

/** The calls that the main process makes to a worker. */
export type Duties = Readonly<{
  /** Listens on the port. */
  begin: (assignment: Assignment) => Promise<AddressInfo>
  /** Serves the registry of these files from the next request on. */
  swap: (files: ReadRegistry['files']) => void
  /** Tells the worker that the stores are migrated and loaded. */
  ready: () => void
  count: () => Promise<MetricValues>
  /** Returns at once, to prove that the worker is responsive. */
  answer: () => void
  /** Finishes open requests, then ends the process. */
  end: () => Promise<never>
}>

/** Why a call failed. `fix` says what the operator can do. */
export type DutyFailure = Readonly<{ message: string; fix: string | undefined; of: 'usage' | 'findings' | undefined }>

/** Functions that one process calls in another, by name. Arguments and results are copied between the processes. */
export type AnyDuties = Readonly<Record<string, (given: never) => unknown>>

export type Order = Readonly<{ id: number; duty: string; given: unknown }>
export type DutyOutcome = Readonly<{ id: number; value: unknown } | { id: number; failure: DutyFailure }>
