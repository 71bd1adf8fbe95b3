import type { JsonObject, JsonValue } from 'pantry/handler'

export type Pointer = Readonly<{ url: string, why: string }>

const byShape: Readonly<Record<string, Pointer>> = {
  anthropic: { url: '/api/v1/tools?format=anthropic', why: 'Every surface as a function in the form you named.' },
  openai: { url: '/api/v1/tools?format=openai', why: 'Every surface as a function in the form you named.' },
  gemini: { url: '/api/v1/tools?format=gemini', why: 'Every surface as a function in the form you named.' },
  cohere: { url: '/api/v1/tools?format=cohere', why: 'Every surface as a function in the form you named.' },
  raw_json: { url: '/api/openapi.json', why: 'You call over plain HTTP: this is the contract.' }
}

const byModality: Readonly<Record<string, Pointer>> = {
  math: { url: '/api/v1/universal/encoding', why: 'How structural documents are hashed, and how to check one.' },
  'plain-text': { url: '/llms.txt', why: 'The service in plain text.' }
}

const start: Pointer = { url: '/api/v1/welcome', why: 'A first page for whoever has just arrived.' }

/** Where somebody who declared this may want to look next. */
export function pointersFor ({ preferred_modalities: modalities, capabilities }: JsonObject): readonly Pointer[] {
  const shape = (capabilities as Readonly<Record<string, JsonValue>>)['provider_shape']
  const found = [typeof shape === 'string' ? byShape[shape] : undefined, ...(modalities as readonly string[]).map(name => byModality[name])]
  return [start, ...found.filter(pointer => pointer !== undefined)]
}
