/** Whether the stores are migrated and loaded, with a callback for when they are. */
export class Readiness {
  readonly #ready = new AbortController()

  get isReached(): boolean {
    return this.#ready.signal.aborted
  }

  reach(): void {
    this.#ready.abort()
  }

  /** Calls `call` once, at once if readiness is reached already. */
  whenReached(call: () => void): void {
    if (this.isReached) call()
    else this.#ready.signal.addEventListener('abort', call, { once: true })
  }
}
