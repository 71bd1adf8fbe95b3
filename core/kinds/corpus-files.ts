import { titleOf, type Files } from './scaffold.ts'

const corpusText = (name: string, license: string): string => `# What the collection is, and under which rights.
title: ${titleOf(name)}
# Field that names an entry.
key: id
# Fields to sort by; \`-field\` from high to low.
order: [id]
license: ${license}
# Where the content comes from.
source: Written for this service.
# Fields that text renderings show.
roles: { title: title, text: text }
`

const schemaText = `# JSON Schema of one entry.
type: object
additionalProperties: false
required: [id, title, text]
properties:
  id: { type: string, pattern: '^[a-z0-9-]{1,60}$', description: Name of the entry. }
  title: { type: string, minLength: 1, maxLength: 120, description: Heading. }
  text: { type: string, minLength: 1, maxLength: 2000, description: The entry itself. }
`

/** The entry has its own file, because editors cannot check the items of a list against the schema of one entry. */
const entryText = `# yaml-language-server: $schema=../schema.yaml
# One entry; the file is named as its key.
id: first
title: The first entry
text: Replace it with your own.
`

/** Returns the files of a new corpus with one entry. */
export const corpusFiles = (name: string, license: string): Files => ({
  [`corpora/${name}/corpus.yaml`]: corpusText(name, license),
  [`corpora/${name}/schema.yaml`]: schemaText,
  [`corpora/${name}/entries/first.yaml`]: entryText
})
