import { setTimeout as sleep } from 'node:timers/promises'
import type { Duties } from './duties.ts'
import { enlist, type Enlisted } from './enlist.ts'

/** One worker of the crew, as the main process sees it. */
export type CrewMember = Enlisted<Duties>

type CrewOptions = Readonly<{
  size: number
  /** Initialises a new worker; resolves when it serves. */
  begin: (member: CrewMember) => Promise<unknown>
  /** Called when a worker ended unexpectedly. */
  lost: (member: CrewMember, cause: string) => void
  /** Called when a replacement for a worker could not begin. */
  failed: (error: unknown) => void
}>

/**
 * Milliseconds: a worker that served for less than `steadyMs` is replaced after a pause, which doubles from
 * `firstPause` to `longestPause`.
 */
const steadyMs = 1_000
const firstPause = 100
const longestPause = 5_000

/**
 * Milliseconds between two health checks of a worker, and how long a check may take before the worker counts as hung.
 */
const lookMs = 1_000
const silentMs = 10_000

/** Milliseconds in which a new worker must begin to serve. */
const beginMs = 60_000

/** Checks a worker at intervals and kills it if it hangs. Returns when it has ended. */
async function watch(member: CrewMember): Promise<void> {
  for (;;) {
    await sleep(lookMs, undefined, { ref: false })
    if (member.isGone()) return
    const silent = setTimeout(member.kill, silentMs)
    await member.ask('answer', undefined).catch(() => undefined)
    clearTimeout(silent)
  }
}

/**
 * Keeps `size` workers running; one that is killed or hangs is replaced. `start` rejects if one of the first workers
 * cannot begin; later ones are retried without limit.
 */
export function createCrew({
  size,
  begin,
  lost,
  failed
}: CrewOptions): Readonly<{
  serving: ReadonlySet<CrewMember>
  start: () => Promise<void>
  stop: (patienceMs: number) => Promise<void>
}> {
  const all = new Set<CrewMember>()
  const serving = new Set<CrewMember>()
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted

  async function recruit(): Promise<CrewMember> {
    const member = enlist<Duties>('workers/main')
    all.add(member)
    void member.ended.then(() => {
      for (const list of [all, serving]) list.delete(member)
    })
    const late = setTimeout(member.kill, beginMs)
    try {
      await begin(member)
      serving.add(member)
      void watch(member)
      return member
    } catch (error) {
      member.kill()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  async function keep(first: CrewMember): Promise<void> {
    let pause = 0
    for (let member: CrewMember | undefined = first; ;) {
      const began = performance.now()
      const cause = await member?.ended
      if (isStopping()) return
      if (member !== undefined && cause !== undefined) lost(member, cause)
      pause =
        member !== undefined && performance.now() - began >= steadyMs
          ? 0
          : Math.min(Math.max(pause * 2, firstPause), longestPause)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (isStopping()) return
      member = await recruit().catch((error: unknown) => {
        if (!isStopping()) failed(error)
        return undefined
      })
    }
  }

  return {
    serving,
    start: async () => {
      for (const member of await Promise.all(Array.from({ length: size }, recruit))) void keep(member)
    },
    stop: async patienceMs => {
      stopping.abort()
      const ended = Promise.all([...all].map(({ ended }) => ended))
      for (const member of all) {
        if (serving.has(member)) member.end()
        else member.kill()
      }
      const enough = new AbortController()
      await Promise.race([ended, sleep(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined)])
      enough.abort()
      for (const member of all) member.kill()
      await ended
    }
  }
}
