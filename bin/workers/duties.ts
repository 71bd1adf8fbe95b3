import type { AddressInfo } from 'node:net'
import type { CallerSalt } from '../../core/http/caller-hash.ts'
import type { Counted } from '../../core/http/metrics.ts'
import type { Config } from '../config.ts'
import type { Place } from '../ports.ts'
import type { ReadRegistry } from '../read-registry.ts'

/** All that a worker needs in order to answer as the others do. */
export type Assignment = Readonly<{
  config: Config
  place: Place
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
  count: () => Promise<Counted>
  /** Says that it is there. */
  answer: () => void
  /** Answers what has begun, then ends. */
  end: () => Promise<never>
}>

/** Why a duty could not be done. `fix` is for a person. */
export type Failure = Readonly<{ message: string; fix: string | undefined; isUsage: boolean }>

export type Order = Readonly<{ id: number; duty: keyof Duties; given: unknown }>
export type Outcome = Readonly<{ id: number; value: unknown } | { id: number; failure: Failure }>
