import t from 'tap'
import { entriesOf } from './content.ts'

type Link = { term: string; url: string }
type Section = {
  id: string
  number: number
  rule_structure: { transitions: { step: number }[] }
  keywords: Link[]
  position: { index_in_order: number; total_sections: number; is_first: boolean; is_last: boolean }
  previous_section: string | null
  next_section: string | null
  canonical_url: string
}
type Term = {
  id: string
  related_terms: Link[]
  introduced_in: { section: string; url: string }
  canonical_url: string
}

const sections = entriesOf('play-tutorial') as readonly Section[]
const terms = entriesOf('play-glossary') as readonly Term[]

t.test('there are nine sections and twelve terms', t => {
  t.equal(sections.length, 9)
  t.equal(terms.length, 12)
  t.end()
})

t.test('the place and the neighbours of each section agree with the order in which they are served', t => {
  for (const [index, section] of sections.entries()) {
    const last = sections.length - 1
    t.equal(section.number, index + 1, section.id)
    t.strictSame(
      section.position,
      { index_in_order: index, total_sections: sections.length, is_first: index === 0, is_last: index === last },
      section.id
    )
    t.equal(section.previous_section, sections[index - 1]?.canonical_url ?? null, `${section.id}: the one before`)
    t.equal(section.next_section, sections[index + 1]?.canonical_url ?? null, `${section.id}: the one after`)
    t.equal(section.canonical_url, `/api/v1/play/tutorial/${section.id}`)
    t.strictSame(
      section.rule_structure.transitions.map(({ step }) => step),
      section.rule_structure.transitions.map((_, at) => at + 1),
      `${section.id}: steps`
    )
  }
  t.end()
})

t.test('a link to a term or section is the address of what it names', t => {
  for (const { term, url } of [
    ...sections.flatMap(({ keywords }) => keywords),
    ...terms.flatMap(term => term.related_terms)
  ]) {
    t.equal(url, `/api/v1/play/glossary/${term}`)
  }
  for (const {
    id,
    introduced_in: { section, url },
    canonical_url: canonical
  } of terms) {
    t.equal(url, `/api/v1/play/tutorial/${section}`, id)
    t.equal(canonical, `/api/v1/play/glossary/${id}`)
  }
  t.end()
})

t.test('a term is introduced by the first section that uses it, and is not related to itself', t => {
  for (const { id, introduced_in: introducedIn, related_terms: related } of terms) {
    t.equal(introducedIn.section, sections.find(({ keywords }) => keywords.some(({ term }) => term === id))?.id, id)
    t.notOk(
      related.some(({ term }) => term === id),
      id
    )
  }
  t.end()
})
