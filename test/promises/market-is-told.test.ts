import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { filesBelow } from '../../bin/root-modules.ts'
import { packageFolder } from '../../bin/roots.ts'
import type { JsonValue } from '../../core/canonical/json.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { extendValue } from '../../core/registry/registry.ts'
import { observations } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const { registry } = await registryOf()
const isServed = (tag: string): boolean => registry.surfaces.some(({ tags }) => tags.includes(tag))

/** What no text may say while surfaces with the tag are served. */
const denials: Readonly<Record<string, readonly RegExp[]>> = {
  market: [
    /\bnothing (?:here )?is (?:ever )?(?:bought|sold|traded|auctioned|for sale)\b/i,
    /\b(?:no|without a) (?:market|auctions?|transactions?|sales?) (?:is|are|exists?|takes? place|here|today)\b/i,
    /\bno surface carries a (?:transaction|sale)/i,
    /\bnobody (?:can |may )?(?:sells?|buys?|bids?|trades?)(?: cards?| anything)? here\b/i,
    /\b(?:selling|sales|auctions|a market) (?:is|are) (?:planned|queued|not (?:yet )?(?:open|here|offered))\b/i
  ],
  accounts: [
    /\bnobody can (?:sign in|register|join)(?: alone| here|[.,]|$)/i,
    /\b(?:there are|has) no accounts\b/i,
    /\bno (?:list of )?(?:accounts|members) (?:are|is|exists?)\b/i,
    /\bresumes? when collectors can sign in\b/i,
    /\bcollectors can sign in, give\b/i,
    // Codes are mailed, also where this operator has not set up mail yet.
    /\bno (?:message|letter|mail)\b[^.]{0,30}\b(?:is|are|was) (?:ever )?sent by this service\b(?!.{0,40}\bcode\b)/i,
    /^it did not come from this service\b/i,
    /\bno address (?:is|was) (?:kept|taken down)(?! when you came to read)/i
  ],
  proofs: [/\bbecause nothing is signed\b/i, /\bnothing (?:here )?is signed\b/i]
}

/** Texts that tell of what was, or are not meant to be true: entries of the changelog, and what is over. */
const isOver = ({ corpus, status }: Readonly<{ corpus: string; status: unknown }>): boolean =>
  ['changelog', 'jokes', 'dad-jokes', 'koans'].includes(corpus) ||
  ['closed-published', 'closed', 'resolved', 'abandoned'].includes(String(status))

function* textsOf(value: JsonValue | undefined, place: string): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string') yield [place, value.replace(/\s+/g, ' ')]
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsOf(member, `${place}/${name}`)
}

function* allTexts(): Generator<readonly [place: string, text: string]> {
  for (const [name, { entries }] of registry.corpora) {
    for (const [at, entry] of entries.entries()) {
      // Of a gap that is closed its name and question tell of what was; the check still holds.
      if (!isOver({ corpus: name, status: entry['status'] })) yield* textsOf(entry, `corpora/${name}/${at}`)
      else if (name === 'gaps')
        for (const member of ['audit', 'strength']) yield* textsOf(entry[member], `corpora/${name}/${at}/${member}`)
    }
  }
  for (const file of filesBelow(join(packageFolder, 'corpora', 'documents'), '.yaml').concat(
    filesBelow(join(packageFolder, 'manifests'), '.yaml')
  )) {
    yield* textsOf(parse(readFileSync(file, 'utf8')) as JsonValue, relative(packageFolder, file))
  }
  for (const folder of ['surfaces', 'core', 'bin']) {
    for (const file of ['.ts', '.tsx'].flatMap(ending => filesBelow(join(packageFolder, folder), ending))) {
      for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(/'((?:[^'\\\n]|\\.){8,})'/g))
        yield [relative(packageFolder, file), text]
    }
  }
  for (const file of [join(packageFolder, 'README.md'), ...filesBelow(join(packageFolder, 'docs'), '.md')])
    yield [relative(packageFolder, file), readFileSync(file, 'utf8').replace(/\s+/g, ' ')]
}

t.test('no text denies what is served', t => {
  const served = Object.keys(denials).filter(isServed)
  t.same(served, Object.keys(denials))
  let texts = 0
  for (const [place, text] of allTexts()) {
    texts++
    for (const tag of served) {
      const found = denials[tag]?.find(denial => denial.test(text))
      if (found !== undefined) t.fail(`${place} denies ${tag}: ${text.slice(0, 200)}`)
    }
  }
  t.ok(texts > 5000, `${texts} texts`)
  t.end()
})

t.test('the sentences that denied it are noticed', t => {
  const told: readonly (readonly [tag: string, text: string])[] = [
    ['market', 'Nothing is bought or sold here.'],
    ['market', 'How something passes on. No surface carries a transaction today.'],
    ['market', 'Quotas. Nothing is sold and nothing is metered.'],
    ['accounts', 'Nobody can register alone.'],
    ['accounts', 'No message, call or event is sent by this service, to anyone.'],
    ['accounts', 'It did not come from this service. If it used our name, please tell us.'],
    ['accounts', 'No address was taken down when you came, so none has to be struck out.'],
    ['accounts', 'Collectors can sign in, give a permission for each report, and take it back.'],
    ['proofs', 'It does not show who sent them, because nothing is signed.']
  ]
  for (const [tag, text] of told)
    t.ok(
      denials[tag]?.some(denial => denial.test(text)),
      text
    )
  t.end()
})

const built = (document: string): JsonValue =>
  extendValue(
    registry,
    document,
    discoveryModules.get(document)!.build(registry, { params: {}, query: {} }, observations)
  )

t.test('what the manifest and the graph model follows from the surfaces that are served', t => {
  const {
    cosmology: { axes }
  } = built('manifest') as unknown as { cosmology: { axes: { axis: string; currently_modelled: boolean }[] } }
  t.match(
    axes.find(({ axis }) => axis === 'transaction'),
    { currently_modelled: isServed('market') }
  )
  const { nodes } = built('graph') as unknown as { nodes: { id: string; properties?: Record<string, JsonValue> }[] }
  for (const { axis, currently_modelled: isModelled } of axes)
    t.equal(
      nodes.find(({ id }) => id === `cosmology_axis:${axis}`)?.properties?.['currently_modelled'],
      isModelled,
      axis
    )
  const concepts = registry.corpora.get('concepts')!.entries as unknown as readonly {
    id: string
    kind: string
    applies_to: { facet: string; value: string }[]
    properties: { status?: string }
  }[]
  for (const {
    id,
    applies_to: rules,
    properties: { status }
  } of concepts.filter(({ kind }) => kind === 'kingdom')) {
    if (rules.some(({ facet, value }) => facet === 'tag' && isServed(value)))
      t.equal(status, 'done', `the kingdom ${id} is served`)
  }
  t.end()
})

t.test('whoever begins at the root, the welcome or the introduction learns of the market', t => {
  const listed = new Set(registry.service.index.flatMap(({ surfaces }) => surfaces))
  for (const tag of ['market', 'proofs']) {
    t.ok(
      registry.surfaces.some(
        ({ id, tags, access }) => tags.includes(tag) && access.includes('public') && listed.has(id)
      ),
      `the root lists surfaces of ${tag}`
    )
  }
  t.match(registry.service.description, /auction/)
  for (const id of ['welcome', 'introduction', 'identify'])
    t.match(readFileSync(join(packageFolder, 'corpora', 'documents', `${id}.yaml`), 'utf8'), /\/api\/auctions/, id)
  t.end()
})
