/**
 * What `import t from 'tap'` means in a test file (`paths` in tsconfig.json, compile.mjs): tap without its runner, and
 * of its root the part that belongs to the file that is running, so that files can share a process.
 */
import { createHook } from 'node:async_hooks'
import { tap, TestBase, type Base, type TAP } from '@tapjs/core'
import type { Test } from '@tapjs/test'

export type { Test } from '@tapjs/test'

/**
 * tap would follow each promise of the process, to know whose an error is that nobody catches: a seventh of the time of
 * all tests. Here one test runs at a time, and such an error is its own.
 */
function rootWithoutHooks(): TAP {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable: () => void }
  const { enable } = hooks
  hooks.enable = () => undefined
  const made = tap()
  hooks.enable = enable
  return made
}

export const root = rootWithoutHooks()
for (const type of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(type, (error: unknown) => {
    running(root).threw(typeof error === 'object' && error !== null ? error : { error }, { tapCaught: type })
  })
}

/** The innermost test that runs now. */
function running(test: Base): Base {
  const [inner] = test instanceof TestBase ? test.activeSubtests : []
  return inner === undefined ? test : running(inner)
}

let current: Test = root

/** Loads a test file as one subtest of the root, and waits for its end. */
export async function runFile(name: string, load: () => Promise<unknown>, timeout: number): Promise<Test | undefined> {
  let file: Test | undefined
  await root.test(name, { timeout }, async own => {
    current = file = own
    await load()
  })
  current = root
  return file
}

export default new Proxy(root, {
  get(_, name) {
    const value: unknown = Reflect.get(current, name, current)
    return typeof value === 'function' ? (value.bind(current) as unknown) : value
  }
})
