/**
 * A process that runs test files one after the other: it is sent their names, and sends back what came of each. Started
 * by pool.ts.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { chanceSeed, isRepeatable } from './chance.ts'
import { limitOf } from './pool.ts'
import { root, runFile } from './tap.ts'

export type Failure = Readonly<{ name: string; diagnostics: unknown }>
export type Outcome = Readonly<{
  file: string
  pass: number
  fail: number
  todo: number
  skips: readonly string[]
  failures: readonly Failure[]
}>
/** tap sends messages of its own on the same channel. */
export type Message = Readonly<{ pantry: 'ready' } | { pantry: 'outcome'; outcome: Outcome }>

const compiled = resolve(import.meta.dirname, '../..')
if (isRepeatable) fc.configureGlobal({ seed: chanceSeed })

async function run(file: string): Promise<Outcome> {
  const test = await runFile(
    file,
    () => import(pathToFileURL(join(compiled, file.replace(/\.ts$/, '.js'))).href),
    limitOf(process.env)
  )
  // What happened outside the file's own tests, such as an error that was thrown later, is found at the root.
  const failures = [
    ...(test?.lists.fail ?? []),
    ...root.lists.fail.splice(0).filter(({ fullname }) => !fullname.startsWith(`TAP > ${file}`))
  ]
  return {
    file,
    pass: test?.counts.pass ?? 0,
    fail: Math.max(test?.counts.fail ?? 1, failures.length),
    todo: test?.counts.todo ?? 0,
    skips: (test?.lists.skip ?? []).map(({ fullname, skip }) => `${fullname}: ${String(skip)}`),
    failures: failures.map(({ fullname, diag }) => ({
      name: fullname,
      diagnostics: JSON.parse(JSON.stringify(diag ?? null)) as unknown
    }))
  }
}

const send = (message: Message): void => {
  process.send?.(message)
}

process.on('message', (file: string) => {
  void run(file).then(outcome => {
    // tap lets the channel go, so that a test process may end; this one waits for the next file.
    process.channel?.ref()
    send({ pantry: 'outcome', outcome })
  })
})
// The runner hangs up when there is no more to run: what is still open then was left open by a test.
process.on('disconnect', () => {
  root.end()
})
send({ pantry: 'ready' })
