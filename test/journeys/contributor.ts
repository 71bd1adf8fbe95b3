import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holds, journey } from './journey.ts'
import { answer, builtClone, dataOf, edit, eventually } from './with-checkout.ts'

type List = Readonly<{ data: Readonly<Record<string, unknown>> }>

const entriesOf = ({ data }: List): readonly Readonly<Record<string, unknown>>[] =>
  Object.values(data).find((value): value is readonly Readonly<Record<string, unknown>>[] => Array.isArray(value)) ?? []

/** A surface, a field of it, and a page, as somebody adds them who writes no code, or little. */
export default journey(
  'contributor',
  'adds a surface, then a field, then a page, while the service runs',
  async travel => {
    const { step, shell, start, knows } = travel
    const cwd = await step('has a clone that is built', async () => builtClone(travel))
    await step('pantry new collection birds', async () => {
      holds(
        (await shell('npx pantry new collection birds', { cwd })).includes('manifests/birds.yaml'),
        'it names the manifest'
      )
    })
    const service = await step(
      'pantry serve --watch',
      async () => await start('exec npx pantry serve --watch', { cwd, env: { PANTRY_DATA_DIR: dataOf(travel) } })
    )
    await step('the list is served', async () => {
      holds(entriesOf(await answer<List>(service, '/api/v1/birds')).length > 0, 'it has entries')
    })

    const corpus = join(cwd, 'corpora', 'birds')
    const manifest = join(cwd, 'manifests', 'birds.yaml')
    await step(
      'makes a mistake in the manifest: it is named with line and hint, and the last good one serves on',
      async () => {
        const good = readFileSync(manifest, 'utf8')
        writeFileSync(manifest, good.replace('kind: collection', 'kind: colection'))
        const said = await shell('npx pantry validate', { cwd, code: 1 })
        holds(
          /manifests\/birds\.yaml:\d+:\d+/.test(said) && said.includes('collection'),
          `place and hint: ${said.slice(0, 300)}`
        )
        await answer(service, '/api/v1/birds')
        writeFileSync(manifest, good)
        await shell('npx pantry validate', { cwd })
      }
    )
    await step('adds a field to the schema and to each entry: it is served, and in OpenAPI', async () => {
      edit(
        join(corpus, 'schema.yaml'),
        '  title: {',
        '  wingspan_cm: { type: integer, minimum: 1, description: From tip to tip. }\n  title: {'
      )
      edit(join(corpus, 'entries', 'first.yaml'), 'title:', 'wingspan_cm: 30\ntitle:')
      await shell('npx pantry validate', { cwd })
      await eventually(
        'the field is served',
        async () => entriesOf(await answer<List>(service, '/api/v1/birds'))[0]?.['wingspan_cm'] === 30
      )
      holds(JSON.stringify(await answer(service, '/api/openapi.json')).includes('wingspan_cm'), 'OpenAPI has it')
    })
    knows('that what is in `schema.yaml` decides what an entry may say')

    await step('pantry new page birds-page: a view in code, which is built', async () => {
      const said = await shell('npx pantry new page birds-page --path /birds', { cwd })
      const [file = ''] = /surfaces\/handlers\/\S+\.tsx/.exec(said) ?? []
      holds(file !== '', `it names the view: ${said}`)
      await service.stop()
      await shell('npm run --silent build', { cwd })
    })
    const again = await step(
      'serves again, with the page',
      async () => await start('exec npx pantry serve', { cwd, env: { PANTRY_DATA_DIR: dataOf(travel) } })
    )
    await step('the page is there, and the list', async () => {
      const page = await answer<string>(again, '/birds', { headers: { accept: 'text/html' } })
      holds(page.includes('<main'), 'it is a page')
      await answer(again, '/api/v1/birds')
    })
    await step('each document knows them: the tests of new surfaces say so', async () => {
      await again.stop()
      await shell('npx pantry test --record && npx pantry validate && npx pantry show birds', { cwd })
    })
  }
)
