import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

/** What goes wrong on the way between a client and a server, as long as it is set. Times in milliseconds. */
export type Toxics = Readonly<{
  /** Nobody listens: connections are refused, and those that are open end. */
  down?: boolean
  /** Each piece of an answer is so much later. */
  latency?: number
  /** Answers pass with so many bytes a second. */
  bandwidth?: number
  /** Answers come in pieces of so many bytes. */
  slicer?: number
  /** The end of a connection is passed on so much later. */
  slowClose?: number
  /** Nothing passes in either direction; connections stay open. */
  blackHole?: boolean
  /** Ends each connection with a reset after so many bytes of answers; 0: at the first byte of a request. */
  resetAfter?: number
  /** Ends each connection, in good order, after so many bytes of answers. */
  limitData?: number
  /**
   * Sees what a client sends before it is passed on. `true` resets the connection, and the piece is lost; `after`: the
   * piece arrives, and its answer is lost; a promise: the piece arrives once that is over.
   */
  refuses?: (piece: Buffer) => boolean | 'after' | Promise<unknown>
}>

export type FaultProxy = Readonly<{
  port: number
  set: (toxics: Toxics) => Promise<void>
  /** Connections that were made through it, and those that are open. */
  made: () => number
  open: () => number
}>

type Target = Readonly<{ path: string } | { host: string; port: number }>

/**
 * A TCP proxy before a server, with the faults of networks (the toxics of Toxiproxy). Without toxics it passes
 * everything on. `target` may be chosen for each connection.
 */
export async function faultProxy(t: Pick<Test, 'teardown'>, target: Target | (() => Target)): Promise<FaultProxy> {
  let toxics: Toxics = {}
  let made = 0
  const open = new Set<Socket>()
  const end = (): void => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer({ allowHalfOpen: true }, client => {
    made += 1
    const upstream = connect({ ...(typeof target === 'function' ? target() : target), allowHalfOpen: true })
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client
      .on('data', (piece: Buffer) => {
        const refused = toxics.refuses?.(piece) ?? false
        if (refused === 'after')
          upstream.prependOnceListener('data', () => {
            client.resetAndDestroy()
          })
        if (typeof refused === 'object') {
          void refused.then(() => upstream.write(piece))
          return
        }
        if (refused === true || toxics.resetAfter === 0) {
          client.resetAndDestroy()
          upstream.destroy()
        } else if (toxics.blackHole !== true) upstream.write(piece)
      })
      .on('end', () => {
        if (toxics.blackHole !== true) upstream.end()
      })
    void answer(upstream, client)
  })

  async function answer(upstream: Socket, client: Socket): Promise<void> {
    let passed = 0
    try {
      for await (const received of upstream as AsyncIterable<Buffer>) {
        // What is lost in a black hole stays lost.
        if (toxics.blackHole === true) continue
        const limit = toxics.resetAfter ?? toxics.limitData ?? Infinity
        const whole = received.subarray(0, limit - passed)
        const step = toxics.slicer ?? whole.length
        for (let at = 0; at < whole.length; at += step) {
          const piece = whole.subarray(at, at + step)
          const delay =
            (toxics.latency ?? 0) + (toxics.bandwidth === undefined ? 0 : (piece.length / toxics.bandwidth) * 1000)
          if (delay > 0) await sleep(delay)
          client.write(piece)
          // Pieces that are written at once would arrive as one.
          if (toxics.slicer !== undefined) await sleep(0)
        }
        passed += whole.length
        if (passed < limit) continue
        if (toxics.resetAfter !== undefined) client.resetAndDestroy()
        else client.end()
        upstream.destroy()
        return
      }
      if (toxics.slowClose !== undefined) await sleep(toxics.slowClose)
      client.end()
    } catch {
      client.destroy()
    }
  }

  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  t.teardown(() => {
    end()
    server.close()
  })
  return {
    port,
    made: () => made,
    open: () => open.size / 2,
    async set(next) {
      const isUp = toxics.down !== true
      toxics = next
      if (next.down === true && isUp) {
        const closed = once(server, 'close')
        server.close()
        end()
        await closed
      } else if (next.down !== true && !isUp) await listen(port)
    }
  }
}

/**
 * A proxy before the server of a database address, which names the folder of a socket; and the address that leads
 * through it.
 */
export async function proxiedDatabase(
  t: Pick<Test, 'teardown'>,
  url: string
): Promise<{ proxy: FaultProxy; url: string }> {
  const { hostname, port, username, pathname } = new URL(url)
  const proxy = await faultProxy(t, { path: `${decodeURIComponent(hostname)}/.s.PGSQL.${port}` })
  return { proxy, url: `postgresql://${username}@127.0.0.1:${proxy.port}${pathname}` }
}

/** Keeps what clients send that has these words (all, where none are given) until what it gives back is called. */
export async function holdBack(proxy: FaultProxy, words = ''): Promise<() => void> {
  let letGo = (): void => undefined
  const over = new Promise<void>(resolve => {
    letGo = resolve
  })
  await proxy.set({ refuses: piece => piece.includes(words) && over })
  return letGo
}
