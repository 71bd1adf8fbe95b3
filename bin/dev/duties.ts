import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import type { ListenAddress } from '../ports.ts'
import type { Answers } from './examples.ts'

/** What is served: the names of roots, and the folders of the bundles of those that are edited. */
export type Edited = Readonly<{ roots: readonly string[]; folders: ReadonlyMap<string, string> }>

/** Where a worker serves, and since when there is one. */
export type DevWork = Readonly<{ config: Config; place: ListenAddress; startedAt: Date }>

/** Whether another worker served before: where, and what is needed before this one listens. */
type Turn = Readonly<{ origin: string | undefined; needed: 'all' | 'schema' }>

/** All that a worker needs in order to serve. */
export type DevAssignment = Edited & DevWork & Turn

/** Surfaces by their ids, all that have code, or all. */
export type Touched = readonly string[] | 'coded' | 'all'

/** What the main process asks of a worker. */
export type DevDuties = Readonly<{
  /** Loads what will be the same after an edit, so that the worker can begin soon. */
  warm: (edited: Edited) => void
  /** Listens, with the code and the files of now. What is wrong with them is printed. */
  begin: (given: DevAssignment) => AddressInfo
  /** Takes in manifests and corpora that changed at a moment, in milliseconds since 1970. */
  reload: (noticedAt: number) => Promise<void>
  /** What the examples of surfaces answer. */
  answers: (touched: Touched) => Promise<Answers>
  /** Answers what has begun, and takes no more connections. */
  retire: () => Promise<void>
  /** Ends. */
  end: () => Promise<never>
}>
