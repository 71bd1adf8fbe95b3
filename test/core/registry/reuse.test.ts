// test: sampled.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { loadRegistry, type Root } from '../../../core/registry/load.ts'
import { LoadCache } from '../../../core/source/read-folder.ts'
import { times } from '../../support/effort.ts'
import { standard } from '../../support/standard.ts'

const root = (name: string, folder: string): Root => ({
  name,
  folder,
  handlers: new Map(),
  handlerFiles: new Map(),
  problems: []
})

const ownWords = `
formats:
  wrapped: { meaning: The answer below one member., body: { inner: $data } }
access:
  reader-card:
    meaning: a reader with a card
    credential: { name: readerCard, challenge: Bearer, scheme: { type: http, scheme: bearer, description: Number of the card. } }
rights:
  lent: { access: reader-card, carries_pii: false, requires_consent: false, license: CC0-1.0, sources: [self] }
`

/** All that a reading says, as text. */
function saidOf(folder: string, reuse?: LoadCache): string {
  const { registry, diagnostics } = loadRegistry({
    roots: [standard, root('library', folder)],
    kinds,
    ...(reuse === undefined ? {} : { reuse })
  })
  return JSON.stringify(
    {
      diagnostics,
      service: registry?.service,
      surfaces: registry?.surfaces,
      corpora: [...(registry?.corpora.values() ?? [])],
      digest: registry?.digest
    },
    undefined,
    1
  )
}

/**
 * The text with another character at the end of one of its words: a name that is known nowhere, another number, a date.
 */
function withAnotherWord(text: string, which: number): string {
  const words = [...text.matchAll(/[A-Za-z0-9]{2,}/g)]
  const word = words[which % words.length]!
  const last = word.index + word[0].length - 1
  const other = /[0-9]/.test(text[last]!)
    ? (Number(text[last]) + 1) % 10
    : /[A-Z]/.test(text[last]!)
      ? text[last] === 'Z'
        ? 'Y'
        : 'Z'
      : text[last] === 'z'
        ? 'y'
        : 'z'
  return `${text.slice(0, last)}${other}${text.slice(last + 1)}`
}

t.test('what is read again after a change is what a first reading of it gives', t => {
  const folder = t.testdir()
  cpSync(join(packageFolder, 'test/fixture/library'), folder, { recursive: true })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && /\.(yaml|csv|json|jsonl|md)$/.test(file.name))
    .map(file => join(file.parentPath, file.name))
    .sort()
  const service = join(folder, 'manifests/service.yaml')
  writeFileSync(service, `${readFileSync(service, 'utf8')}${ownWords}`)
  const loans = readFileSync(join(folder, 'manifests/loans.yaml'), 'utf8')
  // A failure without a code has the only one of its status, which `service.yaml` declares; so are its access kind and
  // the hall's format.
  const lent = loans
    .replace('status: 503', 'status: 409')
    .replace(/^(code|retry_after): .*\n/gm, '')
    .replace('/loans', '/lent')
    .replace(/^(?:access|carries_pii|requires_consent|license|sources): .*\n/gm, '')
    .replace(/^tags:/m, 'rights: lent\ntags:')
  writeFileSync(join(folder, 'manifests/lent.yaml'), lent)
  const hall = loans
    .replace('status-only', 'document')
    .replace('[GET, POST]', 'GET')
    .replace('/loans', '/hall')
    .replace(/^status: [^]*/m, 'document: hall\nformats: [json, wrapped]\n')
  writeFileSync(join(folder, 'manifests/hall.yaml'), hall)
  mkdirSync(join(folder, 'corpora/documents'))
  writeFileSync(join(folder, 'corpora/documents/hall.yaml'), "'@kind': hall\nseats: 40\n")
  const reuse = new LoadCache()
  const said = saidOf(folder, reuse)
  for (const word of ['"code": "BOOK_LENT"', '"reader-card"', '"wrapped"']) t.match(said, word)
  const change = (file: string, text: string): void => {
    writeFileSync(file, text)
    const [again, fresh] = [saidOf(folder, reuse), saidOf(folder)]
    if (again !== fresh) {
      const [a, b] = [again, fresh].map(said => said.split('\n'))
      throw new Error(
        `${file}: ${a!.find((line, at) => line !== b![at])?.trim()} is not ${b!.find((line, at) => line !== a![at])?.trim()}`
      )
    }
  }
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.nat(), (file, which) => {
      const before = readFileSync(file, 'utf8')
      try {
        change(file, withAnotherWord(before, which))
      } finally {
        change(file, before)
      }
    }),
    { numRuns: times(120) }
  )
  change(service, readFileSync(service, 'utf8').replace('BOOK_LENT', 'BOOK_AWAY'))
  change(service, readFileSync(service, 'utf8').replace('lent: { access: reader-card', 'lent: { access: public'))
  t.match(saidOf(folder, reuse), /"id": "lent"[^]*?"access": \[\s+"public"/)
  t.pass('and so are a renamed error code and another profile of rights')
  t.end()
})
