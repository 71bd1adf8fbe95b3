/**
 * What `import t from 'tap'` means in a test file (`paths` in tsconfig.json, compile.mjs): tap without its runner, and
 * of its root the part that belongs to the file that is running, so that files can share a process.
 */
import { tap } from '@tapjs/core'
import type { Test } from '@tapjs/test'

export type { Test } from '@tapjs/test'

const root = tap()

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
