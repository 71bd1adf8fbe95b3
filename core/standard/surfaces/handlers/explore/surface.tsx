import { defineForm, definePage, invalid, Type, type JsonValue } from 'pantry/page'
import { Explained, Surface } from '../../pages/explained.tsx'

/** The text of a person as JSON; 400 for what is none. */
function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw invalid('body', `The body is no JSON: ${(error as SyntaxError).message}.`)
  }
}

const send = defineForm({
  shows: { surface: Surface },
  fields: Type.Object(
    { body: Type.String({ maxLength: 70_000, description: 'The JSON body to send.' }) },
    { additionalProperties: false }
  ),
  // Each byte may be three in a form (WHATWG URL §5.2).
  limitBytes: 210_100,
  reply: Type.Unknown(),
  toBody: ({ body }) => readJson(body),
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

export default definePage({
  shows: { surface: Surface },
  besides: { answer: Type.Unknown() },
  forms: { send },
  view: ({ shown: { surface }, beside: { answer }, path }) => ({
    title: surface.summary,
    scripts: ['copy.js', 'run.js'],
    main: (
      <Explained
        surface={surface}
        path={path}
        answered={surface.request.url === null ? undefined : { method: 'GET', url: surface.request.url, answer }}
      />
    )
  })
})
