import { definePage, invalid, Type, type JsonValue } from 'pantry/page'
import { Explained, Surface } from '../../pages/explained.tsx'

/** Parses the text that a person entered as JSON; throws a 400 error if it is not JSON. */
function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw invalid('body', `The body is no JSON: ${(error as SyntaxError).message}.`)
  }
}

export default definePage({
  shows: { surface: Surface },
  form: {
    fields: Type.Object(
      { body: Type.String({ maxLength: 70_000, description: 'The JSON body to send.' }) },
      { additionalProperties: false }
    ),
    // A form may encode each byte as three (WHATWG URL §5.2).
    limitBytes: 210_100,
    reply: Type.Unknown(),
    toBody: ({ body }) => readJson(body)
  },
  view: ({ shown: { surface }, form: { body }, sent, path }) => ({
    title: surface.summary,
    scripts: ['copy.js'],
    main: (
      <Explained
        surface={surface}
        path={path}
        answered={
          surface.request.sends === null ? undefined : { method: 'POST', url: surface.request.sends, answer: sent }
        }
        body={body}
      />
    )
  })
})
