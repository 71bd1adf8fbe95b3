const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'"
}

const plain = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, entity => entities[entity] ?? '')

type Attributes = Readonly<Record<string, string | undefined>>

const attributesOf = (text: string): Attributes =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, plain(value)])
  )

const attributes = '((?:[^">]|"[^"]*")*)'
const alone = (name: string): RegExp => new RegExp(`<${name}${attributes}>`, 'g')
const inside = (name: string, content: string): RegExp => new RegExp(`<${name}${attributes}>${content}</${name}>`, 'gs')

/** Each element of a name: its attributes, and what is in it. */
const elements = (
  html: string,
  pattern: RegExp
): readonly Readonly<{ whole: string; own: Attributes; content: string }>[] =>
  [...html.matchAll(pattern)].map(([whole, own = '', content = '']) => ({ whole, own: attributesOf(own), content }))

/** A way to send a form: the fields that it sends, and the words of its button. */
export type Way = Readonly<{ action: string; fields: Readonly<Record<string, string>>; label: string }>

const field = ({ name = '', value = '' }: Attributes): readonly [string, string] => [name, value]

/** What a browser sends of a form without a button: hidden fields, chosen options and texts as they are. */
function fieldsIn(content: string): Way['fields'] {
  const inputs = elements(content, alone('input'))
    .filter(({ own }) => own['type'] !== 'radio' || own['checked'] !== undefined)
    .map(({ own }) => field(own))
  const texts = elements(content, inside('textarea', '([^<]*)')).map(({ own, content: value }) =>
    field({ ...own, value: plain(value) })
  )
  const selects = elements(content, inside('select', '(.*?)')).map(({ own, content: options }) => {
    const all = elements(options, alone('option')).map(option => option.own)
    return field({ ...own, value: (all.find(({ selected }) => selected !== undefined) ?? all[0])?.['value'] })
  })
  return Object.fromEntries([...inputs, ...texts, ...selects])
}

/** Every way to send the forms of a page without a script: one for each button, which may lie outside its form. */
export function waysOf(html: string): readonly Way[] {
  const buttons = elements(html, inside('button', '([^<]*)'))
  return elements(html, inside('form', '(.*?)')).flatMap(({ own: { id, action = '' }, content }) => {
    const fields = fieldsIn(content)
    return buttons
      .filter(({ whole, own: { form } }) => (form === undefined ? content.includes(whole) : form === id))
      .map(({ own, content: label }) => ({
        action,
        label: plain(label),
        fields: own['name'] === undefined ? fields : { ...fields, ...Object.fromEntries([field(own)]) }
      }))
  })
}
