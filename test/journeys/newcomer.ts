import { holds, journey } from './journey.ts'
import { freshClone } from './with-checkout.ts'

/** From nothing to a card on the screen, by the README alone. */
export default journey('newcomer', 'has heard of Pantry, and wants to see it run', async travel => {
  const { step, knows, shell, start } = travel
  const cwd = await step('git clone', async () => freshClone(travel))
  const readme = await step('reads the README', async () => await shell('cat README.md', { cwd }))
  for (const command of ['npm ci && npm start', 'npm ci && npm test'])
    holds(readme.includes(command), `the README says \`${command}\``)
  knows('Node 20.19 or later and git')
  await step('npm ci, and npx pantry too early: it says what to do', async () => {
    await shell('npm ci', { cwd })
    holds((await shell('npx pantry --version', { cwd, code: 3 })).includes('npm run build'), 'the command is named')
  })
  const service = await step('npm start', async () => await start('exec npm start', { cwd }))
  const get = async (path: string, accept: string): Promise<string> => {
    const answer = await fetch(service.url + path, { headers: { accept } })
    holds(answer.status === 200, `${path} is 200, not ${answer.status}`)
    return await answer.text()
  }
  await step('opens the address that was printed', async () => {
    holds((await get('/', 'text/html')).includes('<main'), 'there is a page')
  })
  await step('follows what the first answer says', async () => {
    const { _links: links, data } = JSON.parse(await get('/api/v1/', 'application/json')) as {
      _links?: object
      data?: object
    }
    holds(links ?? data, 'it leads on')
  })
  await step('asks for a card', async () => {
    holds(
      (await get('/api/v1/universal/card/op-op01-001-en', 'application/json')).includes('Roronoa Zoro'),
      'it is the card'
    )
  })
  await step('Ctrl-C ends it with 0', async () => {
    holds((await service.stop('SIGINT')) === 0, 'npm ends with 0')
  })
})
