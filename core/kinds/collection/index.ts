import { readPlaceholders } from '../../manifest/rules.ts'
import { corpusFiles } from '../corpus-files.ts'
import { corpusReference } from '../corpus-field.ts'
import { renamedMembers } from '../fixed-members.ts'
import { declaredContracts } from '../contracts.ts'
import { defineKind } from '../kind.ts'
import { wordsOf } from '../rights.ts'
import { defaultPath, nameOf, withoutPlaceholders, type Scaffold } from '../scaffold.ts'
import { answerOf, factsOf, type CollectionAnswer } from './answer.ts'
import { checkCollection, checkFields } from './check.ts'
import { collectionInput } from './input.ts'
import { fields, type CollectionManifest } from './manifest.ts'
import { collectionOutput } from './output.ts'
import { compileCollection } from './source.ts'

const scaffold: Scaffold = ({ id, path = defaultPath(id), corpus = nameOf(id) }, { registry }) => {
  const known = registry.corpora.get(corpus)
  const { license } = wordsOf(registry.service, known?.license)
  return {
    path: withoutPlaceholders('collection', path),
    tier: license,
    provenance: 'static',
    fields: { corpus, limit: { default: 20, maximum: 100 }, list: 'entries' },
    files: known === undefined ? corpusFiles(corpus, license) : {}
  }
}

export const collection = defineKind<CollectionManifest, CollectionAnswer, 'corpora'>({
  name: 'collection',
  meaning: 'The entries of a corpus, filtered and ordered.',
  reaches: ['corpora'],
  fields,
  renamed: renamedMembers,
  holds: ['value', 'words', 'list'],
  contracts: declaredContracts,
  check: checkCollection,
  checkPath: file => readPlaceholders(file, []),
  checkFit: checkFields,
  refersTo: ({ manifest }) => [corpusReference(manifest.corpus)],
  answer: answerOf,
  facts: factsOf,
  input: collectionInput,
  output: collectionOutput,
  compile: compileCollection,
  scaffold
})
