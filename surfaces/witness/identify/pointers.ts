import type { PathTo } from 'pantry/data'
import type { Echo } from './schemas.ts'

export type Pointer = Readonly<{ url: string; why: string }>

const tools = (pathTo: PathTo, format: string): Pointer => ({
  url: `${pathTo('tools')}?format=${format}`,
  why: 'Every surface as a function in the form you named.'
})

const byShape = (pathTo: PathTo): Readonly<Record<string, Pointer>> => ({
  anthropic: tools(pathTo, 'anthropic'),
  openai: tools(pathTo, 'openai'),
  gemini: tools(pathTo, 'gemini'),
  cohere: tools(pathTo, 'cohere'),
  raw_json: { url: pathTo('openapi'), why: 'You call over plain HTTP: this is the contract.' }
})

const byModality = (pathTo: PathTo): Readonly<Record<string, Pointer>> => ({
  math: { url: pathTo('universal/encoding'), why: 'How structural documents are hashed, and how to check one.' },
  'plain-text': { url: pathTo('llms'), why: 'The service in plain text.' }
})

/** Where somebody who declared this may want to look next. */
export function pointersFor(
  {
    preferred_modalities: modalities,
    capabilities: { provider_shape: shape }
  }: Pick<Echo, 'preferred_modalities' | 'capabilities'>,
  pathTo: PathTo
): readonly Pointer[] {
  const start: Pointer = { url: pathTo('hospitality/welcome'), why: 'A first page for whoever has just arrived.' }
  const modality = byModality(pathTo)
  const found = [shape === null ? undefined : byShape(pathTo)[shape], ...modalities.map(name => modality[name])]
  return [start, ...found.filter(pointer => pointer !== undefined)]
}
