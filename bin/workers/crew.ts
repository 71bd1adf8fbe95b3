import { setTimeout as sleep } from 'node:timers/promises'
import type { Duties } from './duties.ts'
import { enlist, type Enlisted } from './enlist.ts'

/** One worker, as the main process sees it. */
export type CrewMember = Enlisted<Duties>

type CrewOptions = Readonly<{
  size: number
  /** Starts a worker; resolves when it answers. */
  begin: (member: CrewMember) => Promise<unknown>
  /** Hears of a worker that is gone although nobody asked it to end. */
  lost: (member: CrewMember, cause: string) => void
  /** Hears why a worker could not take the place of one that is gone. */
  failed: (error: unknown) => void
}>

/**
 * Milliseconds: a worker that served for less is replaced after a pause, which doubles from the first to the longest.
 */
const steadyMs = 1_000
const firstPause = 100
const longestPause = 5_000

/**
 * Milliseconds between two looks at a worker, and how long it may not answer them: then it hangs, and the requests it
 * was given with it.
 */
const lookMs = 1_000
const silentMs = 10_000

/** Milliseconds in which a worker must begin to answer. */
const beginMs = 60_000

/** Kills a worker that hangs. Returns when it is gone. */
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
 * Keeps a number of workers at work; one that is killed or hangs is replaced. `start` rejects when one of the first
 * cannot begin; later ones are tried again and again.
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
