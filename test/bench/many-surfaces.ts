import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const rights =
  'access: public\ncarries_pii: false\nrequires_consent: false\nfreshness: catalog\nlicense: CC0-1.0\nsources: [self]\nprovenance: static\nsince: 2026-11-20\ncontract: envelope\n'

const corpus = (name: string): Readonly<Record<string, string>> => ({
  [`corpora/${name}/corpus.yaml`]: `title: Entries of ${name}\nkey: id\norder: [title]\nlicense: CC0-1.0\nsource: Written for a measurement.\nroles: { title: title, text: text }\n`,
  [`corpora/${name}/schema.yaml`]:
    "type: object\nadditionalProperties: false\nrequired: [id, title, text]\nproperties:\n  id: { type: string, pattern: '^[a-z0-9-]{1,60}$' }\n  title: { type: string, minLength: 1, maxLength: 120 }\n  text: { type: string, minLength: 1 }\n",
  [`corpora/${name}/entries.yaml`]: Array.from(
    { length: 10 },
    (_, at) => `- { id: entry-${at}, title: Entry ${at} of ${name}, text: Something to read. }\n`
  ).join('')
})

/** Three surfaces of a topic: a list, one entry of it, and a document. */
const topic = (at: number): Readonly<Record<string, string>> => {
  const name = `topic-${at}`
  return {
    ...corpus(name),
    [`corpora/documents/about-${name}.yaml`]: `'@kind': about-${name}\ntitle: About ${name}\ntext: Something to read.\n`,
    [`manifests/many/${name}.yaml`]: `kind: collection\npath: /api/v1/many/${name}\nsummary: The entries of ${name}.\ntags: [many]\n${rights}corpus: ${name}\nlimit: { default: 5, maximum: 10 }\nlist: entries\n`,
    [`manifests/many/${name}-entry.yaml`]: `kind: entry\npath: /api/v1/many/${name}/{id}\nsummary: One entry of ${name}.\ntags: [many]\n${rights}corpus: ${name}\nkey: id\nmember: entry\nexamples:\n  - { title: The first of them, params: { id: entry-0 }, expect: { status: 200 } }\n`,
    [`manifests/many/about-${name}.yaml`]: `kind: document\npath: /api/v1/many/about/${name}\nsummary: What ${name} is.\ntags: [many]\n${rights}document: about-${name}\n`
  }
}

/** Writes a root with `topics` times three surfaces: served beside another, it makes a service of many. */
export function writeManySurfaces(folder: string, topics: number): void {
  for (let at = 0; at < topics; at++) {
    for (const [file, text] of Object.entries(topic(at))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
  }
}
