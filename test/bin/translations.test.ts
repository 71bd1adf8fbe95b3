import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'

t.test('the texts that a language lacks are listed and written, and what is written stays', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const service = join(root, 'manifests/service.yaml')
  const run = (...args: string[]) => pantry([...args, '--root', root])
  t.match(await run('translations', 'de'), { code: 2, stderr: 'does not declare the language `de`. Languages: en.' })
  writeFileSync(service, `${readFileSync(service, 'utf8')}languages: [en, de]\n`)

  const file = join(root, 'translations/de.yaml')
  const listed = await run('translations', 'de', '--dry-run')
  const texts = listed.stdout.trimEnd().split('\n')
  t.equal(listed.code, 0)
  t.ok(texts.includes('One book by its ISBN.'))
  t.notOk(texts.includes('Skip to the content'), 'the framework brings its German')
  t.throws(() => readFileSync(file), { code: 'ENOENT' })

  t.match(await run('translations', 'de'), { code: 0, stderr: `${texts.length} texts to translate in ` })
  const begun = readFileSync(file, 'utf8')
  t.match(begun, "\nOne book by its ISBN.: ''\n")
  t.match((await run('validate')).stdout, 'warning[M442]: In `de` there is no text for `One book by its ISBN.`.')

  writeFileSync(file, begun.replace("One book by its ISBN.: ''", 'One book by its ISBN.: Ein Buch'))
  const before = readFileSync(file, 'utf8')
  t.match(await run('translations', 'de'), { code: 0, stderr: `${texts.length - 1} texts to translate in ` })
  t.equal(readFileSync(file, 'utf8'), before, 'nothing comes twice')

  rmSync(file)
  writeFileSync(service, readFileSync(service, 'utf8').replace('[en, de]', '[en, fr]'))
  const french = await run('translations', 'fr', '--dry-run')
  t.match(french.stdout, /^Skip to the content$/m, 'the framework has no French')
})

t.test('a service with one language is as it was, and one in German speaks it alone', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const get = async (path: string, ...headers: string[]) =>
    (await pantry(['get', path, '--include', ...headers.flatMap(one => ['--header', one]), '--root', root])).stdout
  const page = '/api/v1/library/books?format=html'
  const german = 'Accept-Language: de'
  for (const answer of [await get(page), await get(page, german)]) {
    t.match(answer, '<html lang="en">')
    t.notMatch(answer, /^(Content-Language|Vary: .*Accept-Language)/im)
  }
  const service = join(root, 'manifests/service.yaml')
  writeFileSync(service, `${readFileSync(service, 'utf8')}languages: [de]\n`)
  const answer = await get(page, 'Accept-Language: en')
  t.match(answer, /<html lang="de">.*Zum Inhalt springen/)
  t.notMatch(answer, /^(Content-Language|Vary: .*Accept-Language)/im)
})

t.test('while a file cannot be read, no translation is said to be of nothing', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const [service, book] = [join(root, 'manifests/service.yaml'), join(root, 'manifests/book.yaml')]
  writeFileSync(service, `${readFileSync(service, 'utf8')}languages: [en, de]\n`)
  mkdirSync(join(root, 'translations'), { recursive: true })
  writeFileSync(join(root, 'translations/de.yaml'), 'One book by its ISBN.: Ein Buch\nNothing else: Sonst nichts\n')
  const validate = async () => (await pantry(['validate', '--root', root])).stdout
  t.match(await validate(), 'M443')
  writeFileSync(book, `${readFileSync(book, 'utf8')}colour: green\n`)
  const found = await validate()
  t.match(found, 'M203')
  t.notMatch(found, 'M443')
})

t.test('what the links of the footer say is a text as any other', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const service = join(root, 'manifests/service.yaml')
  const footer = 'theme:\n  footer: [{ label: Write to us, href: "mailto:desk@library.example" }]\n'
  writeFileSync(service, `${readFileSync(service, 'utf8')}languages: [en, de]\n${footer}`)
  const run = (...args: string[]) => pantry([...args, '--root', root])
  t.match((await run('translations', 'de', '--dry-run')).stdout, /^Write to us$/m)
  mkdirSync(join(root, 'translations'))
  writeFileSync(join(root, 'translations/de.yaml'), 'Write to us: Schreib uns\n')
  t.notMatch((await run('validate')).stdout, 'Write to us')
  const page = '/api/v1/library/books?format=html'
  t.match((await run('get', page, '--header', 'Accept-Language: de')).stdout, '>Schreib uns</a>')
  t.match((await run('get', page)).stdout, '>Write to us</a>')
})
