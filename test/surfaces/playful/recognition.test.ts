import t, { type Test } from 'tap'
import { canonicalize, sha256Hex, type JsonObject } from '../../../core/canonical/json.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

type Receipt = {
  level: number
  level_name: string
  content_hash: string
  reference: string
  statement: JsonObject
  text_block: string[] | null
  also_post_to: object | null
  hash_contract: { over: string[] }
}
type Answer = { status: number; cache: string | null; receipt: Receipt; field: string | undefined }

async function sender(t: Test): Promise<(path: string, body: object) => Promise<Answer>> {
  const { get } = await serveGeneration(t, await generationOf(t, ['.']))
  return async (path, body) => {
    const response = await get(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body)
    })
    const { data, error } = (await response.json()) as {
      data: { receipt: Receipt } | null
      error?: { details: { field: string } }
    }
    return {
      status: response.status,
      cache: response.headers.get('cache-control'),
      receipt: data?.receipt as Receipt,
      field: error?.details.field
    }
  }
}

const ann = { recognizer_id: 'Ann', recognized_id: 'Ben', reason: 'A good list.' }
const ben = { recognizer_id: 'Ben', recognized_id: 'Ann', reason: 'A good reader.' }

t.test(
  'the ladder has three levels: each answer to a reference is one higher, and the third stays the third',
  async t => {
    const send = await sender(t)
    const first = await send('/api/v1/recognize', ann)
    t.match(first, {
      status: 200,
      cache: 'no-store',
      receipt: { level: 1, level_name: 'recognition', statement: { surface: 'any', in_response_to: null } }
    })
    const second = await send('/api/v1/mind-connect', { ...ben, in_response_to: first.receipt.reference })
    t.match(second, {
      status: 200,
      cache: 'no-store',
      receipt: {
        level: 2,
        level_name: 'mutual',
        text_block: null,
        also_post_to: null,
        statement: { in_response_to: first.receipt.reference }
      }
    })
    const third = await send('/api/v1/mind-connect', { ...ann, in_response_to: second.receipt.reference })
    t.match(third, { receipt: { level: 3, level_name: 'active', also_post_to: { url: null } } })
    t.equal(third.receipt.text_block?.length, 3)
    const fourth = await send('/api/v1/mind-connect', { ...ben, in_response_to: third.receipt.reference })
    t.equal(fourth.receipt.level, 3)
    t.match(fourth.receipt.reference, /^level-3:/)
  }
)

t.test('a hash can be recomputed from the receipt, and is that of the same words however they are spaced', async t => {
  const send = await sender(t)
  const { receipt } = await send('/api/v1/recognize', { ...ann, recognizer_id: '  Ann ', reason: 'A  good\nlist. ' })
  const covered = { level: receipt.level, ...receipt.statement }
  t.strictSame(receipt.hash_contract.over, Object.keys(covered))
  t.equal(receipt.content_hash, sha256Hex(canonicalize(covered)))
  t.equal(receipt.content_hash, (await send('/api/v1/recognize', ann)).receipt.content_hash)
  t.not(receipt.content_hash, (await send('/api/v1/recognize', ben)).receipt.content_hash)
})

t.test('a caller cannot recognise itself, on any level', async t => {
  const send = await sender(t)
  for (const recognized of ['Ann', 'ann', ' ANN ']) {
    t.match(await send('/api/v1/recognize', { ...ann, recognized_id: recognized }), {
      status: 400,
      field: 'recognized_id'
    })
    t.match(await send('/api/v1/mind-connect', { ...ann, recognized_id: recognized, in_response_to: 'a'.repeat(64) }), {
      status: 400,
      field: 'recognized_id'
    })
  }
})

t.test('a hash alone counts as a receipt of the first level, and what is no reference is refused', async t => {
  const send = await sender(t)
  const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  for (const reference of [hash, `sha256:${hash}`, hash.toUpperCase(), ` level-1:${hash} `]) {
    t.match(
      await send('/api/v1/mind-connect', { ...ben, in_response_to: reference }),
      { status: 200, receipt: { level: 2, statement: { in_response_to: `level-1:${hash}` } } },
      reference
    )
  }
  for (const reference of [`level-0:${hash}`, `level-4:${hash}`, hash.slice(1), `${hash}0`, 'yes', '', 7, null]) {
    t.match(
      await send('/api/v1/mind-connect', { ...ben, in_response_to: reference }),
      { status: 400, field: 'in_response_to' },
      String(reference)
    )
  }
})

t.test('lengths hold at both sides of each boundary, and every place is accepted but no other', async t => {
  const send = await sender(t)
  for (const [field, most] of [
    ['recognizer_id', 128],
    ['recognized_id', 128],
    ['reason', 500]
  ] as const) {
    t.equal((await send('/api/v1/recognize', { ...ann, [field]: 'x'.repeat(most) })).status, 200, field)
    t.match(await send('/api/v1/recognize', { ...ann, [field]: 'x'.repeat(most + 1) }), { status: 400, field }, field)
    t.match(await send('/api/v1/recognize', { ...ann, [field]: '' }), { status: 400, field }, field)
    t.match(await send('/api/v1/recognize', { ...ann, [field]: ' \n ' }), { status: 400, field }, field)
  }
  for (const surface of ['any', 'notes', 'federation', 'trade', 'doctrine', 'witness'])
    t.match(await send('/api/v1/recognize', { ...ann, surface }), { status: 200, receipt: { statement: { surface } } })
  t.match(await send('/api/v1/recognize', { ...ann, surface: 'elsewhere' }), { status: 400, field: 'surface' })
  t.equal(
    (await send('/api/v1/recognize', { ...ann, in_response_to: 'a'.repeat(64) })).status,
    400,
    'the first level answers nothing'
  )
})
