import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../../support/command-line.ts'

const handler = `import { defineHandler, Type } from 'pantry/handler'
import { greeting } from '../greeting.tsx'

export default defineHandler({ reply: Type.Object({ greeting: Type.String() }), handle: (): { data: { greeting: string } } => ({ data: { greeting } }) })
`

t.test('`pantry build` bundles what is written in TypeScript with elements, and the service runs it', async t => {
  const root = libraryIn(
    t.testdir({
      surfaces: {
        'greeting.tsx': 'export const greeting: string = `${(<b>hello</b>).type}`\n',
        handlers: { 'hello.ts': handler }
      }
    })
  )
  writeFileSync(
    join(root, 'manifests/hello.yaml'),
    readFileSync(join(root, 'manifests/today.yaml'), 'utf8')
      .replace('kind: collection', 'kind: handler')
      .replace('library/today', 'library/hello')
      .replace(/^(?:corpus|pick|list): .*\n/gm, '')
  )
  t.match(await pantry(['build', '--root', root]), { code: 0, stderr: '' })
  t.ok(existsSync(join(root, 'dist/bundle/handlers.js')))
  t.match(await pantry(['get', '/api/v1/library/hello', '--root', root]), { code: 0, stdout: /"greeting": ?"b"/ })
  t.notOk(
    existsSync(join(root, 'dist/bundle/registry')),
    'tests run the framework file by file, so nothing is compiled for it'
  )
})

t.test('code that cannot be bundled is told with its place', async t => {
  const root = libraryIn(
    t.testdir({ surfaces: { 'greeting.tsx': 'export const greeting = 1\n', handlers: { 'hello.ts': handler } } })
  )
  appendFileSync(join(root, 'surfaces/greeting.tsx'), 'export const = 2\n')
  t.match(await pantry(['build', '--root', root]), {
    code: 1,
    stdout: '',
    stderr: /surfaces\/greeting\.tsx:2:14: Expected identifier/
  })
  writeFileSync(join(root, 'surfaces/greeting.tsx'), 'export const greeting = await Promise.resolve(1)\n')
  t.match(await pantry(['build', '--root', root]), {
    code: 1,
    stderr: /surfaces\/greeting\.tsx: a module that awaits at its top level cannot be bundled/
  })
})
