import t from 'tap'
import { library } from '../../../support/registry.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

const { get, registry } = await serveGeneration(t, await generationOf(t, [library]))
const path = '/api/v1/library/books'

t.test('the links to other formats of a list keep the declared parameters of the request, and no other', async t => {
  const formatsOf = async (search: string): Promise<Readonly<Record<string, string>>> => {
    const { data } = (await (await get(path + search)).json()) as { data: { formats: Record<string, string> } }
    return data.formats
  }
  const { csv = '', md } = await formatsOf('?zz=1&genre=novel&limit=1')
  t.equal(csv, `${path}?genre=novel&limit=1&format=csv`)
  t.equal((await (await get(csv)).text()).trim().split('\r\n').length, 2, 'a line of names, and one of one novel')
  t.equal((await formatsOf('?format=json&genre=novel&limit=1'))['md'], md)
  t.equal((await formatsOf(''))['csv'], `${path}?format=csv`)
})

t.test('a feed of some entries is another feed, and names itself', async t => {
  const feed = async (search: string): Promise<string> => await (await get(`${path}${search}format=atom`)).text()
  const url = `${registry.service.base_url}${path}`
  t.match(await feed('?genre=novel&'), `<id>${url}?genre=novel</id>`)
  t.match(await feed('?genre=novel&'), `href="${url}?genre=novel&amp;format=atom"/>`)
  t.match(await feed('?'), `<id>${url}</id>`)
})
