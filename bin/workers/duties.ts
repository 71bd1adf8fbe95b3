import type { AddressInfo } from 'node:net'
import type { CallerSalt } from '../../core/http/caller-hash.ts'
import type { MetricValues } from '../../core/http/metrics.ts'
import type { Config } from '../config.ts'
import type { ListenAddress } from '../ports.ts'
import type { ReadRegistry } from '../read-registry.ts'

/** All that a worker needs in order to answer as the others do. */
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

/** What the main process asks of a worker. */
export type Duties = Readonly<{
  /** Listens. */
  begin: (assignment: Assignment) => Promise<AddressInfo>
  /** Serves these files from the next request on. */
  swap: (files: ReadRegistry['files']) => void
  /** The stores are migrated and loaded. */
  ready: () => void
  count: () => Promise<MetricValues>
  /** Says that it is there. */
  answer: () => void
  /** Answers what has begun, then ends. */
  end: () => Promise<never>
}>

/** Why a duty could not be done. `fix` is for a person. */
export type DutyFailure = Readonly<{ message: string; fix: string | undefined; of: 'usage' | 'findings' | undefined }>

/** What one process asks of another, by names. All that is given and answered is copied. */
export type AnyDuties = Readonly<Record<string, (given: never) => unknown>>

export type Order = Readonly<{ id: number; duty: string; given: unknown }>
export type DutyOutcome = Readonly<{ id: number; value: unknown } | { id: number; failure: DutyFailure }>
