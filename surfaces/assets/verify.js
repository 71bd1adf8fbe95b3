// Computes both hashes of a document in this browser: RFC 8785 (JSON Canonicalization Scheme), SHA-256.
// Member names are sorted by UTF-16 code units, as `sort` does; numbers and strings are written as ECMAScript writes
// them (RFC 8785 §3.2.2).
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
  const answer = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store' })
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

// Computes a draw again, and its proof: HMAC-SHA256 of seeds, weights, a Merkle tree (RFC 6962, RFC 9162 §2.1.3.2),
// Ed25519.
const bytesOf = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16))
const hexOf = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
const utf8 = text => new TextEncoder().encode(text)
const fromBase64url = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0))
const hashOf = async (...parts) => hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap(part => [...part])))))

async function * numbersOf ({ server_seed: server, client_seed: client, nonce }) {
  const key = await crypto.subtle.importKey('raw', bytesOf(server), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  for (let block = 0; ; block += 1) {
    const view = new DataView(await crypto.subtle.sign('HMAC', key, utf8(`${client}:${nonce}:${block}`)))
    for (let at = 0; at < view.byteLength; at += 4) yield view.getUint32(at)
  }
}

async function choose (choices, numbers) {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  let number
  do number = (await numbers.next()).value
  while (number >= 2 ** 32 - 2 ** 32 % total)
  let rest = number % total
  return choices.find(({ weight }) => (rest -= weight) < 0)
}

async function drawn ({ packs }, receipt) {
  const numbers = numbersOf(receipt)
  const { name, places } = await choose(packs, numbers)
  const rarities = []
  for (const place of places) rarities.push((await choose(place.rarities, numbers)).rarity)
  return { pack: name, rarities }
}

async function rootOf (leaf, index, size, path) {
  let [at, last, hash] = [index, size - 1, leaf]
  for (const beside of path) {
    const isRight = at % 2 === 1 || at === last
    hash = await hashOf([1], ...(isRight ? [beside, hash] : [hash, beside]).map(bytesOf))
    while (at === last && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hash : ''
}

/** Undefined where this browser has no Ed25519. */
async function isSigned ({ head, signature }, keys) {
  const { x, kid } = keys.find(({ kid }) => kid === head.key_id) ?? {}
  if (x === undefined || await hashOf(utf8(canonical({ crv: 'Ed25519', kty: 'OKP', x }))) !== hexOf(fromBase64url(kid))) return false
  const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, { name: 'Ed25519' }, false, ['verify']).catch(() => undefined)
  return key === undefined ? undefined : await crypto.subtle.verify({ name: 'Ed25519' }, key, fromBase64url(signature), utf8(canonical(head)))
}

async function verifyReceipt ({ dataset: { proof: path, rates: ratesPath, keys: keysPath } }) {
  const [{ data: { receipt, leaf_index: index, inclusion, signed } }, { data: rates }, { keys }] = await Promise.all([path, ratesPath, keysPath].map(read))
  const leaf = await hashOf([0], utf8(canonical(receipt)))
  return {
    commitment: await hashOf(bytesOf(receipt.server_seed)) === receipt.commitment,
    result: path.endsWith(`/${receipt.id}`) && await sha256(rates) === receipt.rates_digest && canonical(await drawn(rates, receipt)) === canonical(receipt.result),
    inclusion: signed === null ? undefined : await rootOf(leaf, index, signed.head.tree_size, inclusion) === signed.head.root,
    signature: signed === null ? undefined : await isSigned(signed, keys)
  }
}

for (const section of document.querySelectorAll('.verify-receipt')) {
  const [button, output] = [section.querySelector('button'), section.querySelector('output')]
  if (crypto.subtle === undefined) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    output.textContent = 'Computing …'
    try {
      const checks = await verifyReceipt(section)
      for (const [name, holds] of Object.entries(checks)) {
        const words = holds === false ? document.createElement('strong') : new Text()
        words.textContent = holds === undefined ? 'could not be computed here' : holds ? 'holds' : 'does not hold'
        section.querySelector(`[data-check=${name}]`).replaceChildren(words)
      }
      output.textContent = Object.values(checks).includes(false) ? 'This browser computed something else.' : 'This browser computed this itself.'
    } catch (error) {
      output.textContent = `It could not be computed now: ${error.message}`
    }
  })
}
