import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../bin/project.ts'
import { holds, journey } from './journey.ts'
import { serveCards } from './with-checkout.ts'

/** Written from the README of the client and from what an editor completes. */
const program = `
import { createClient, ServiceError } from 'pantry-cards-client'
const client = createClient({ baseUrl: process.argv[2] })
const card = await client.get_universal_card({ sku: 'op-op01-001-en' })
const refused = await client.get_universal_card({ sku: 'op-no-such-card' }).catch(error => error)
console.log([card.sku, card.card_number, refused instanceof ServiceError ? refused.status : refused].join(' '))
`

/** Somebody whose program asks the service: with the typed client, and a cache that asks whether something is new. */
export default journey(
  'integrator',
  'calls the service from a program, with the generated client and a cache',
  async travel => {
    const { folder, step, shell, knows } = travel
    const service = await step('the service is there', async () => await serveCards(travel))
    const [, tarball = ''] = await step(
      'has the typed client',
      async () =>
        /^(\S+\.tgz)$/m.exec(
          await shell(`npx pantry client ${folder}/client && cd ${folder} && npm pack --silent ./client`, {
            cwd: packageFolder
          })
        ) ?? []
    )
    const cwd = join(folder, 'app')
    mkdirSync(cwd)
    await step('npm install of it, alone', async () => {
      await shell(
        `npm init -y && npm pkg set type=module && npm install --no-audit --no-fund ${join(folder, tarball)}`,
        { cwd }
      )
    })
    await step('asks for a card, and for one that is not there', async () => {
      writeFileSync(join(cwd, 'ask.mjs'), program)
      const said = await shell(`node ask.mjs ${service.url}`, { cwd })
      holds(said.trim() === 'op-op01-001-en OP01-001 404', `a card, and a refusal: ${said}`)
    })
    await step('keeps answers by their tags: asked again, nothing is sent', async () => {
      const path = `${service.url}/api/v1/universal/card/op-op01-001-en`
      const first = await fetch(path)
      const etag = first.headers.get('etag')
      holds(first.status === 200 && etag !== null && (await first.text()).length > 500, 'it has a tag')
      const second = await fetch(path, { headers: { 'if-none-match': etag } })
      holds(second.status === 304 && (await second.text()) === '', 'it is 304, and empty')
    })
    await step('reads how long it may keep an answer, and how often it may ask', async () => {
      const { headers } = await fetch(`${service.url}/api/v1/universal/games`)
      for (const header of ['cache-control', 'ratelimit-limit', 'ratelimit-remaining', 'link'])
        holds(headers.get(header), `there is ${header}`)
    })
    knows('that the client is made by `npx pantry client`; docs/own-service.md says so')
  }
)
