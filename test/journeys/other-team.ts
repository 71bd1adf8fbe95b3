import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { holds, journey } from './journey.ts'
import { answer, packed } from './with-checkout.ts'
import { buildImage, startImage } from './with-image.ts'

type List = Readonly<{ data: Readonly<Record<string, readonly Readonly<{ name: string }>[]>> }>

/**
 * A team of another field: from the tarball to a service of their own, which keeps its promises. `npm run consumers`
 * does it with every manager and Node.
 */
export default journey('other-team', 'builds a service about parks on the package', async travel => {
  const { folder, step, shell, start, knows } = travel
  const tarball = await step('has the tarball', async () => await packed(travel))
  const cwd = join(folder, 'parks')
  mkdirSync(cwd)
  copyFileSync(tarball, join(cwd, basename(tarball)))
  await step('npm init, npm install, npx pantry init parks', async () => {
    holds(
      (
        await shell(`npm init -y && npm install --no-audit --no-fund ./${basename(tarball)} && npx pantry init parks`, {
          cwd
        })
      ).includes('manifests/parks.yaml'),
      'it says what it wrote'
    )
  })
  const service = await step('npm start', async () => await start('exec npm start', { cwd }))
  await step('asks for the list, one entry, the code with a table', async () => {
    const { data } = await answer<List>(service, '/api/v1/parks')
    holds(Object.values(data).flat().length > 0, 'there are parks')
    await answer(service, '/api/v1/notes')
    await answer(service, '/api/v1/parks/no-such-park', { status: 404 })
  })
  await step('reads what a stranger reads: the page, OpenAPI, llms.txt', async () => {
    for (const [path, accept] of [
      ['/', 'text/html'],
      ['/api/openapi.json', 'application/json'],
      ['/llms.txt', 'text/plain']
    ] as const) {
      holds(
        JSON.stringify(await answer(service, path, { headers: { accept } })).includes('parks'),
        `${path} names the parks`
      )
    }
    holds(
      !/\bcards?\b|trading/i.test(JSON.stringify(await answer(service, '/api/openapi.json'))),
      'nothing of the card service is in it'
    )
  })
  await step('edits an entry of the corpus wrongly: told with file and line', async () => {
    await service.stop()
    writeFileSync(join(cwd, 'manifests', 'ponds.yaml'), 'kind: collection\npath: /api/v1/ponds\n')
    holds(/manifests\/ponds\.yaml:\d+/.test(await shell('npx pantry validate', { cwd, code: 1 })), 'the place is named')
    await shell('rm manifests/ponds.yaml && npx pantry validate', { cwd })
  })
  await step('npm test: every promise of the service holds', async () => {
    await shell('npm test', { cwd })
  })
  await step('puts it into an image, by its Dockerfile, and starts that', async () => {
    const image = await buildImage(travel, cwd)
    const served = await startImage(travel, image)
    await answer(served, '/api/v1/parks')
    holds((await served.stop()) === 0, 'SIGTERM ends it with 0')
  })
  knows('JavaScript; the handler of `init` shows the rest')
})
