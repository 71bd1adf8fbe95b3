import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import type { ListenAddress } from '../ports.ts'
import type { Answers } from './examples.ts'

/** The names of the roots to serve, and the bundle folders of those that are edited. */
export type Edited = Readonly<{ roots: readonly string[]; folders: ReadonlyMap<string, string> }>

/** The configuration, the address to listen on, and when `pantry dev` started. */
export type DevWork = Readonly<{ config: Config; place: ListenAddress; startedAt: Date }>

/** The origin of the worker that served before, if any, and what must be done before this worker listens. */
type Turn = Readonly<{ origin: string | undefined; needed: 'all' | 'schema' }>

/** Everything a worker needs in order to serve. */
export type DevAssignment = Edited & DevWork & Turn

/** The ids of surfaces, all surfaces with code, or all surfaces. */
export type Touched = readonly string[] | 'coded' | 'all'

/** The calls that the main process makes to a worker. */
export type DevDuties = Readonly<{
  /** Loads what does not change with an edit, so that `begin` is fast. */
  warm: (edited: Edited) => void
  /** Listens, and serves the current code and files. Mistakes in them are printed. */
  begin: (given: DevAssignment) => AddressInfo
  /** Reloads manifests and corpora; `noticedAt` is when the change was noticed, in milliseconds since 1970. */
  reload: (noticedAt: number) => Promise<void>
  /** Returns the responses to the examples of surfaces. */
  answers: (touched: Touched) => Promise<Answers>
  /** Finishes open requests and accepts no more connections. */
  retire: () => Promise<void>
  /** Ends the process. */
  end: () => Promise<never>
}>
