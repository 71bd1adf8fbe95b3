import type { JsonObject } from '../../canonical/json.ts'
import { known } from '../../manifest/kind.ts'
import { parameters } from '../../manifest/normalise.ts'
import { listed, readPlaceholders } from '../../manifest/rules.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { report } from '../../source/report.ts'
import { choiceOf, choiceParameter, chosenSchema } from '../choice.ts'
import { corpusReference } from '../corpus-field.ts'
import { fixedMembers, freeMembers, renamedMembers } from '../fixed-members.ts'
import { declaredContracts } from '../contracts.ts'
import { defineKind } from '../kind.ts'
import { exactly } from '../schemas.ts'
import { fields, type EntryManifest } from './manifest.ts'
import { scaffoldEntry } from './scaffold.ts'
import { compileEntry, type EntryAnswer } from './source.ts'

const usualMember = 'entry'

export const entry = defineKind<EntryManifest, EntryAnswer, 'corpora'>({
  name: 'entry',
  meaning: 'One entry of a corpus by its key.',
  reaches: ['corpora'],
  fields,
  renamed: renamedMembers,
  holds: ['value', 'words', 'object'],
  contracts: declaredContracts,
  check: file => freeMembers(file, file.manifest.with, [file.manifest.member ?? usualMember]),
  /** M302: the path must have a placeholder for the key. */
  checkPath: file => {
    const {
      source,
      manifest: { path, key }
    } = file
    const names = placeholdersOf(path)
    if (names.includes(key)) return readPlaceholders(file, [key], 'An entry surface reads its key only.')
    const hint =
      names.length === 0
        ? `Write the path with a placeholder, such as \`${path}/{${key}}\`.`
        : `The path has ${listed(names)}.`
    return [report(source, 'M302', ['key'], `The path has no \`{${key}}\` placeholder for \`key: ${key}\`.`, { hint })]
  },
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: ({ manifest }) => ({
    corpus: manifest.corpus,
    key: manifest.key,
    member: manifest.member ?? usualMember,
    fixed: (manifest.with ?? {}) as JsonObject
  }),
  facts: ({ corpus, member }) => ({ shows: { corpus, as: 'one', member } }),
  input: ({ answer: { corpus } }, { corpora }) => ({
    query: parameters({ fields: choiceParameter(choiceOf(known(corpora.get(corpus), `corpus ${corpus}`))) })
  }),
  output: ({ answer: { corpus: name, member, fixed } }, { corpora }) => {
    const corpus = known(corpora.get(name), `corpus ${name}`)
    return exactly({ ...fixedMembers(fixed), [member]: chosenSchema(corpus.schema, choiceOf(corpus)) })
  },
  compile: compileEntry,
  scaffold: scaffoldEntry
})
