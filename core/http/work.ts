/** Milliseconds that a request may expect to wait for its answer. Where one took longer within the last second, and a new one would, the new one is refused. */
const longestWait = 150
const lateFor = 1_000
/** So many are let in however slow they are: a few slow answers are no queue. */
const fewest = 10
/** Milliseconds of work over which answers are counted. */
const window = 250

type Count = Readonly<{ answers: number, milliseconds: number }>
const nothing: Count = { answers: 0, milliseconds: 0 }

/**
 * The requests of a process that wait for something, such as a database. How long a new one will wait follows from how many there are and how many were
 * answered while there was work (Little's law), so the limit fits whatever is asked: thousands of cheap answers, or a few dear ones.
 */
export class Work {
  readonly #now: () => number
  #waiting = 0
  /** When it was last looked at how many wait. */
  #seenAt = 0
  #lateUntil = 0
  #before = nothing
  #current = nothing

  /** `now` gives milliseconds that never go back. */
  constructor (now = (): number => performance.now()) {
    this.#now = now
  }

  /** Time that passes while nothing waits says nothing about how long an answer takes. */
  #look (answers: number): number {
    const now = this.#now()
    const { answers: known, milliseconds } = this.#current
    this.#current = { answers: known + answers, milliseconds: this.#waiting === 0 ? milliseconds : milliseconds + now - this.#seenAt }
    this.#seenAt = now
    if (this.#current.milliseconds > window) {
      this.#before = this.#current
      this.#current = nothing
    }
    return now
  }

  /** Whether one more request would wait too long. */
  isFull (): boolean {
    if (this.#waiting < fewest) return false
    const now = this.#look(0)
    if (now > this.#lateUntil) return false
    const answers = this.#before.answers + this.#current.answers
    const milliseconds = this.#before.milliseconds + this.#current.milliseconds
    return this.#waiting * milliseconds > longestWait * answers
  }

  /** Counts a request until it is answered; answers as it does. Failures are no answers: they may be quick, and many at once. */
  async count<Answer extends Readonly<{ status: number }>> (answer: Promise<Answer>): Promise<Answer> {
    const began = this.#look(0)
    this.#waiting += 1
    const found = await answer
    const now = this.#look(found.status < 500 ? 1 : 0)
    this.#waiting -= 1
    if (now - began > longestWait) this.#lateUntil = now + lateFor
    return found
  }
}
