// Computes both hashes of a document in this browser: RFC 8785 (JSON Canonicalization Scheme), SHA-256.
// Member names are sorted by UTF-16 code units, as `sort` does; numbers and strings are written as ECMAScript writes them (RFC 8785 §3.2.2).
const canonical = value => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.keys(value).sort().map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

const sha256 = async value => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(value)))
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The value at a JSON pointer (RFC 6901). */
const at = (value, pointer) => pointer.split('/').slice(1).map(token => token.replaceAll('~1', '/').replaceAll('~0', '~')).reduce((found, token) => found?.[token], value)

const partOf = (document, { pointer, constant, when_absent: otherwise = null }) => pointer === undefined ? constant : at(document, pointer) ?? otherwise

const read = async path => {
  const answer = await fetch(path, { headers: { Accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return await answer.json()
}

async function verify ({ dataset: { document: path, recipes, kind, hash } }) {
  const [document, { hashing }] = await Promise.all([read(path), read(recipes)])
  const { '@self_hash': self, ...rest } = document
  const recipe = hashing.content_hash.by_kind[kind]
  const content = await sha256(Object.fromEntries(Object.entries(recipe).map(([name, part]) => [name, partOf(document, part)])))
  const whole = await sha256(rest)
  return [['content', content === document['@content_hash'] && content === hash], ['document', whole === self]]
}

for (const section of document.querySelectorAll('.verify')) {
  const [button, output] = [section.querySelector('button'), section.querySelector('output')]
  // SubtleCrypto is there on HTTPS and on localhost alone.
  if (crypto.subtle === undefined) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    output.textContent = 'Computing …'
    try {
      const results = await verify(section)
      const wrong = results.filter(([, holds]) => !holds).map(([name]) => name)
      output.textContent = wrong.length === 0 ? 'Both hashes are those that this browser computed.' : `Not the same: the hash of the ${wrong.join(' and the hash of the ')}.`
    } catch (error) {
      output.textContent = `It could not be verified now: ${error.message}`
    }
  })
}
