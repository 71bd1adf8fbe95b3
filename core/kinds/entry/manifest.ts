import { Type } from '../../canonical/type.ts'
import { Field, OnlyGet, type ManifestWith } from '../../manifest/manifest.ts'
import { CorpusField } from '../corpus-field.ts'
import { FixedMembers } from '../fixed-members.ts'

export const fields = {
  method: Type.Optional(OnlyGet),
  corpus: CorpusField,
  key: { ...Field, examples: ['slug'], description: 'Placeholder of the path that carries the key of the entry.' },
  member: Type.Optional({
    ...Field,
    examples: ['guide'],
    description: 'Name of the entry in the answer. Default `entry`.'
  }),
  with: FixedMembers('the content of the corpus')
}

export type EntryManifest = ManifestWith<typeof fields>
