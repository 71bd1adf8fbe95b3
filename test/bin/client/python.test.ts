// test: long. Clients that Python and its checkers run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { pythonFiles } from '../../../bin/client/python.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { build } from '../../core/discovery/fixture.ts'
import { libraryIn, pantry } from '../../support/command-line.ts'
import { python } from '../../support/python.ts'
import { library, registryOf } from '../../support/registry.ts'
import { serveLibrary } from '../../support/serve-root.ts'

const about = { name: 'library-client', version: '1.2.3', license: 'MIT', engines: { node: '>=20' } }

async function written(folder: string, root: string): Promise<string> {
  const document = build('openapi', { registry: (await registryOf([root])).registry }) as JsonObject
  for (const [file, text] of Object.entries(pythonFiles(document, about))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

/** What a consumer writes, and what it is answered. */
const consumer = `
import json, sys, typing
sys.path.insert(0, sys.argv[1])
import library_client
from library_client import Client, ServiceError

# Every type of the module can be resolved.
for value in vars(Client).values():
    if callable(value) and value.__name__ != "_call":
        typing.get_type_hints(value, vars(library_client))
for value in list(vars(library_client).values()):
    if typing.is_typeddict(value):
        typing.get_type_hints(value, vars(library_client))

client = Client(sys.argv[2], headers={"User-Agent": "reader/1.0"})
[first] = client.get_books(genre="novel", limit=1)["data"]["books"]
book = client.get_book(isbn=first["isbn"])["data"]["book"]
answer = client.post_reading_note(body={"isbn": first["isbn"], "note": "  Æ twice. "})["data"]

def refused(**given):
    try:
        client.get_book(**given)
    except ServiceError as error:
        return [error.status, error.code, str(error) == error.body["error"]["message"] if error.body else None]
    except ValueError as error:
        return str(error)

print(json.dumps({
    "isbn": first["isbn"],
    "title": book["title"],
    "robots": "User-agent: *" in client.get_robots(),
    "note": answer["echo"]["note"],
    "persisted": answer["receipt"]["persisted"],
    "refused": refused(isbn="$& a/b?"),
    "same": refused(isbn=first["isbn"], headers={"If-None-Match": "*"}),
    "elsewhere": refused(isbn=".."),
}))
`

t.test('the client answers what the service does, and raises what it refuses', async t => {
  const { url } = await serveLibrary(t)
  const folder = await written(t.testdir(), library)
  writeFileSync(join(folder, 'consumer.py'), consumer)
  const outcome = await python([join(folder, 'consumer.py'), folder, url])
  if (outcome === undefined) {
    t.comment('SKIPPED: the client of Python was not run, because there is no python3 on this machine.')
    return
  }
  t.equal(outcome.code, 0, outcome.stderr)
  t.strictSame(JSON.parse(outcome.stdout), {
    isbn: '9780141439600',
    title: 'A Tale of Two Cities',
    robots: true,
    note: 'Æ twice.',
    persisted: false,
    refused: [404, 'NOT_FOUND', true],
    same: [304, null, null],
    elsewhere: "`isbn` is a part of the path and cannot be '..'."
  })
})

t.test('a client of a large service compiles, and its types can be resolved', async t => {
  const folder = await written(t.testdir(), '.')
  const compiled = await python(['-m', 'compileall', '-q', folder])
  if (compiled === undefined) {
    t.comment('SKIPPED: the client of Python was not run, because there is no python3 on this machine.')
    return
  }
  t.equal(compiled.code, 0, compiled.stdout)
  const imported = await python([
    '-c',
    `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import library_client, typing; print(len([typing.get_type_hints(v, vars(library_client)) for v in list(vars(library_client).values()) if typing.is_typeddict(v)]))`
  ])
  t.equal(imported?.code, 0, imported?.stderr ?? '')
  t.ok(Number(imported?.stdout) > 50)
})

t.test('the package has the name, version and license of the service', async t => {
  const folder = t.testdir({ root: {} })
  const root = libraryIn(join(folder, 'root'))
  const made = join(folder, 'made')
  const write = async (...more: readonly string[]) =>
    await pantry(['client', made, '--python', '--root', root, ...more], { PANTRY_BASE_URL: 'https://library.example' })
  const read = (file: string): string => readFileSync(join(made, file), 'utf8')
  t.match(await write(), { code: 0, stdout: `${join(made, 'pyproject.toml')}\n`, stderr: /twine upload/ })
  t.match(read('pyproject.toml'), /^name = "river-street-library-client"\nversion = "0\.0\.0"\n/m)
  t.match(read('pyproject.toml'), /^classifiers = \["Private :: Do Not Upload"\]$/m)
  t.match(read('river_street_library_client/__init__.py'), 'base_url: str = "https://library.example"')
  t.equal(read('river_street_library_client/py.typed'), '')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '3.1.0-beta.2', license: 'CC0-1.0' }))
  t.match(await write(), { code: 0 })
  t.match(read('pyproject.toml'), /^version = "3\.1\.0-beta\.2"\n[^]*^license = "CC0-1\.0"$/m)
  t.match(await write('--release', '1.0.0-next.3'), { code: 2, stderr: /PyPI takes no version `1\.0\.0-next\.3`/ })
})
