// test: long. A service with each choice of the framework's surfaces keeps every promise.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { standardParts } from '../../core/manifest/service.ts'
import { surfacesOfParts } from '../../core/registry/standard-choice.ts'
import { libraryIn, pantry } from '../support/command-line.ts'
import { standard } from '../support/standard.ts'

/** The library with these parts of the framework's surfaces. */
function choosing(folder: string, parts: readonly string[]): string {
  const root = libraryIn(folder)
  const file = join(root, 'manifests', 'service.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}standard: [${parts.join(', ')}]\n`)
  return root
}

const pathOf = (id: string): string =>
  /^path: (.*)$/m.exec(readFileSync(join(standard.folder, 'manifests', `${id}.yaml`), 'utf8'))?.[1] ?? ''

type Document = Readonly<{
  tags: readonly Readonly<{ name: string }>[]
  'x-tagGroups': readonly Readonly<{ name: string; tags: readonly string[] }>[]
  paths: Readonly<Record<string, Record<string, { 'x-surface': { part_of: string } }>>>
}>

const openapiOf = async (root: string): Promise<Document> =>
  JSON.parse((await pantry(['get', '/api/openapi.json', '--root', root])).stdout) as Document

for (const parts of [[], ...standardParts.map(part => [part])])
  t.test(
    `a service with the parts [${parts.join()}] keeps every promise, and names nothing that is left out`,
    async t => {
      const root = choosing(join(t.testdir(), 'library'), parts)
      t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' })
      const { code, stdout, stderr } = await pantry(['test', '--root', root])
      t.notMatch(stdout, /broken/)
      t.equal(code, 0, stderr)

      const { paths } = await openapiOf(root)
      const left = standardParts.filter(part => !parts.includes(part)).flatMap(part => surfacesOfParts[part])
      const leftPaths = left.map(pathOf)
      const served = [...Object.keys(paths), ...(parts.includes('pages') ? ['/', '/explore'] : [])]
      t.same(
        served.filter(path => leftPaths.includes(path)),
        []
      )
      t.match(await pantry(['get', leftPaths.find(path => !path.includes('{')) ?? '', '--root', root]), {
        stdout: /NOT_FOUND/
      })
      for (const path of served.filter(one => !one.includes('{'))) {
        const answer = await pantry(['get', path, '--include', '--root', root])
        for (const one of leftPaths) {
          const whole = new RegExp(`["'<(\\s]${one.split('{')[0]!.replace(/[.?]/g, '\\$&')}[\\w{]*["'>)\\s?#]`)
          if (one !== '/') t.notMatch(`${answer.stdout}${answer.stderr}`, whole, `${path} does not name ${one}`)
        }
      }
    }
  )

t.test('a part that is not known is a mistake, and all are there by default', async t => {
  const root = choosing(join(t.testdir(), 'library'), ['agent'])
  t.match(await pantry(['validate', '--root', root]), { code: 1, stdout: /service\.yaml[^]*`agents`/ })
  t.same(
    Object.values(surfacesOfParts)
      .flat()
      .filter(id => pathOf(id) === ''),
    [],
    'each is a surface of the framework'
  )
})

t.test('OpenAPI tells the operations of the service from those of the framework, and names its tags first', async t => {
  const root = choosing(join(t.testdir(), 'library'), standardParts)
  const document = await openapiOf(root)
  const partOf = (path: string): string | undefined => document.paths[path]?.get?.['x-surface'].part_of
  t.equal(partOf('/api/v1/library/books'), 'service')
  t.equal(partOf('/api/v1/manifest'), 'framework')
  const [own, others] = document['x-tagGroups']
  t.equal(own?.name, 'River Street Library')
  t.ok(own?.tags.includes('library'))
  t.ok(others?.tags.includes('discovery'))
  t.same(
    document.tags.map(({ name }) => name),
    [own?.tags, others?.tags].flat()
  )
})
