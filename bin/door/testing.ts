import test from 'node:test'
import {
  promised,
  whileServed,
  withFaults,
  type Promised,
  type Subject,
  type TestedOptions
} from '../promises/index.ts'

export {
  MistakesError,
  promised,
  whileServed,
  type Promised,
  type Subject,
  type TestedOptions
} from '../promises/index.ts'

/**
 * `pantry/testing`: serves the roots once and runs one `node:test` test for each promise that every service must keep,
 * and for each of `more`.
 *
 *     import { promises } from 'pantry/testing'
 *     await promises()
 */
export async function promises(options: TestedOptions = {}, more: readonly Promised[] = []): Promise<void> {
  await test('the service keeps its promises', async t => {
    await whileServed(options, async (subject: Subject) => {
      for (const { name, broken } of [...promised, ...more.map(withFaults)]) {
        await t.test(name, async () => {
          const found = await broken(subject)
          if (found.length > 0) throw new Error(found.join('\n'))
        })
      }
    })
  })
}
