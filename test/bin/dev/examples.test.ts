import t from 'tap'
import { answersTo } from '../../../bin/dev/examples.ts'
import { compileUnserved } from '../../../bin/ask.ts'
import { readRegistry } from '../../../bin/read-registry.ts'
import { joinTables, loadRoots } from '../../../bin/roots.ts'
import { library } from '../../support/command-line.ts'

const roots = await loadRoots([library])
const { registry } = readRegistry(roots)
const generation = compileUnserved(
  registry!,
  joinTables(roots),
  {},
  {
    onFault: error => {
      throw error
    }
  }
)
const answers = await answersTo(generation, registry!.surfaces)

t.test('an answer is its status and what it says, without the envelope', async t => {
  const lines = answers.get('GET /api/v1/library/books/9780451529060') ?? []
  t.equal(lines[0], 'status 200')
  t.ok(lines.some(line => line.includes('"title": "On the Origin of Species"')))
  t.notOk(lines.some(line => line.includes('_meta')))
})

t.test('what differs from one time to the next is left out, and so is the time of an answer', async t => {
  t.strictSame(await answersTo(generation, registry!.surfaces), answers)
  const today = new Date().toISOString().slice(0, 13)
  t.strictSame(
    [...answers].filter(([, lines]) => lines.some(line => line.includes(today))),
    []
  )
})

t.test('nothing is asked that may change something, or that not everybody may ask', async t => {
  const asked = [...answers.keys()]
  t.ok(asked.length > 20)
  const [closed] = registry!.surfaces.filter(surface => surface.access.includes('admin'))
  for (const surface of registry!.surfaces.filter(one => one === closed || one.reaches.includes('handlers')))
    for (const { method, url } of surface.examples)
      if (method !== 'GET' || surface === closed) t.notOk(asked.includes(`${method} ${url}`), `${method} ${url}`)
})
