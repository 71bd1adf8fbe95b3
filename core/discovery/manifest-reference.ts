import { Type } from '../canonical/type.ts'
import { catalog, isDiagnosticCode } from '../diagnostics/catalog.ts'
import { Closed, defineDocument, Text } from './define.ts'
import { codesIn, manifestReference as sectionsOf, referenceText } from './reference.ts'

const Document = Closed({
  sections: Type.Array(
    Closed({
      title: Text,
      meaning: Text,
      keys: Type.Array(
        Closed({
          key: Text,
          required: Type.Boolean(),
          meaning: Text,
          example: Type.Unknown({ description: 'A value that the key may have.' }),
          diagnostics: Type.Array(Text, {
            minItems: 1,
            description: 'Codes of the mistakes that can be made with the key.'
          })
        })
      )
    }),
    { description: 'The keys of all kinds, of each kind, and of the other files.' }
  ),
  diagnostics: Type.Record(Type.String(), Text, { description: 'What each code means.' })
})

/** Lists every key of the files that contributors write, for tools that help them. */
export const manifestReference = defineDocument(Document)({
  build: ({ kinds }) => {
    const sections = sectionsOf(kinds)
    return {
      sections,
      diagnostics: Object.fromEntries(
        codesIn(sections)
          .filter(isDiagnosticCode)
          .map(code => [code, catalog[code].title])
      )
    }
  },
  renderings: { md: ({ kinds }) => referenceText(sectionsOf(kinds)) }
})
