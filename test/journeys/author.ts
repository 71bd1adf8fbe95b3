import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { holds, journey } from './journey.ts'
import { answer, builtClone, dataOf, edit } from './with-checkout.ts'

const old = 'Calendar days from the earliest to the latest snapshot'
const written = 'Days of the calendar, from the earliest snapshot to the latest'

/** Somebody who edits code of the service, sees the change, and proves it. */
export default journey(
  'author',
  'edits a handler, sees the change, and runs the tests that it may break',
  async travel => {
    const { step, shell, start, knows } = travel
    const cwd = await step('has a clone that is built', async () => builtClone(travel))
    const env = { PANTRY_DATA_DIR: dataOf(travel) }
    const service = await step('npm run dev', async () => await start('exec npm run dev', { cwd, env }))
    const coverage = async (of: typeof service): Promise<string> => JSON.stringify(await answer(of, '/api/v1/coverage'))
    await step('reads the sentence that is to change', async () => {
      holds((await coverage(service)).includes(old), 'it is there')
    })
    const file = join(cwd, 'surfaces', 'handlers', 'coverage.ts')
    knows(
      'that the handler of a surface lies at surfaces/handlers/<id of the surface>.ts, or in the file of its resource: `pantry show` names the manifest alone'
    )
    await step('edits the handler, and sees the change in the service that runs', async () => {
      edit(file, old, written)
      await eventually(async () => {
        holds((await coverage(service)).includes(written), 'the new sentence is served')
      }, 60)
    })
    await step('pantry get answers beside it, from the same database', async () => {
      holds((await shell('npx pantry get /api/v1/coverage', { cwd, env })).includes(written), 'with the new sentence')
    })
    await step('makes a mistake in a type: the check names file and line', async () => {
      edit(file, 'import { coverageMatrix', 'import { coverageMatrices')
      holds(
        (await shell('! npm run --silent typecheck', { cwd })).includes('surfaces/handlers/coverage.ts'),
        'it is named'
      )
      edit(file, 'coverageMatrices', 'coverageMatrix')
    })
    await step('npm run test:changed -- --list: the tests that reach the file', async () => {
      const listed = await shell('npm run --silent test:changed -- --list --base HEAD', { cwd })
      holds(
        listed.includes('test/surfaces/coverage/') && !listed.includes('test/core/canonical/'),
        `those of coverage, and not those that cannot break: ${listed.slice(0, 300)}`
      )
    })
    await step('npm start: the sentence is the new one', async () => {
      holds((await service.stop()) === 0, 'the service ends with 0')
      const again = await start('exec npm start', { cwd, env })
      const said = await coverage(again)
      holds(said.includes(written) && !said.includes(old), 'it is')
      holds((await again.stop()) === 0, 'it ends with 0')
    })
  }
)
