import t from 'tap'
import fc from 'fast-check'
import oracle from 'canonicalize'
import { canonicalize, hashCanonical, sha256Hex, type JsonValue } from '../../../core/canonical/json.ts'
import { anyCharacter } from '../../support/any-character.ts'

const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue

// The inputs of the reference test suite of RFC 8785, with byte length and SHA-256 of the canonical form.
const suite: Record<string, [string, number, string]> = {
  arrays: [
    '[56, {"d": true, "10": null, "1": []}]',
    32,
    '099601b171cafed97c333f8878d68e7f8c8f795412adb34b2fdcf0e7c7beac42'
  ],
  french: [
    '{"peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization MUST", ' +
      '"sin": "ignore locale"}',
    130,
    'd99d0ebdcb0033cb858cfa830ae46bc0fb3309413b271f1da828c89901a27ed5'
  ],
  structures: [
    '{"1": {"f": {"f": "hi", "F": 5}, "\\n": 56.0}, "10": {}, "": "empty", "a": {}, "111": [{"e": "yes", "E": "no"}], "A": {}}',
    98,
    '605f65004ec2db7692522a0852c22f1c989e036d547e88963d1a3143cf3195d5'
  ],
  unicode: [
    '{"Unnormalized Unicode": "A\\u030a"}',
    30,
    '0d99aad92a125196ff887876643fd3206786a84ddce2cee52ba4ad256d2381d3'
  ],
  values: [
    '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], ' +
      '"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
    118,
    '2d5e01a318d0f0879ab568c4be289c8b1f64ef8921a53c6277d5e069978baacb'
  ],
  weird: [
    '{"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\u000a": "Newline", "1": "One", "\\u0080": "Control\\u007f", ' +
      '"\\ud83d\\ude02": "Smiley", "\\u00f6": "Latin Small Letter O With Diaeresis", "\\ufb33": "Hebrew Letter Dalet With Dagesh", ' +
      '"</script>": "Browser Challenge"}',
    214,
    '6af595a9aa80110b964b4de3f82a05fa6ae7423005019bacfa2620dddc4e94d1'
  ]
}

t.test('the reference suite', t => {
  for (const [name, [input, bytes, digest]] of Object.entries(suite)) {
    const canonical = canonicalize(parse(input))
    t.equal(Buffer.byteLength(canonical), bytes, `${name}: length`)
    t.equal(sha256Hex(canonical), digest, `${name}: digest`)
  }
  t.end()
})

t.test('small vectors', t => {
  const vectors: [string, string, string][] = [
    ['{"9":1,"10":1}', '{"10":1,"9":1}', 'b1c5f9a9d402cf937fdc544ab553a11c3771f8ef6b19ef1cffa632b8197478fa'],
    [
      '{"b":[1.0,1e2,-0],"a":"\\u20ac\\u000f"}',
      '{"a":"€\\u000f","b":[1,100,0]}',
      '2627d75a8c532c0abd142d817957ac59097df9a3bbf07b49f4d7fa15a6a5c705'
    ],
    [
      '{"\\ufb33":2,"\\ud83d\\ude02":1}',
      '{"😂":1,"\ufb33":2}',
      '08c82bec43ad78fdd95c0b3c05edb2ab9aa763496bea9f2dbe332dd5e6ae3002'
    ],
    [
      '{"a":2,"__proto__":1}',
      '{"__proto__":1,"a":2}',
      '0c4b7a2b4e04ba308e5674b61f20266799172c87f78917e58b19408cbce2121a'
    ],
    ['{}', '{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
    ['[]', '[]', '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
    ['""', '""', '12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126'],
    ['null', 'null', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b']
  ]
  for (const [input, canonical, digest] of vectors) {
    t.equal(canonicalize(parse(input)), canonical)
    t.equal(hashCanonical(parse(input)), digest)
  }
  t.end()
})

t.test('numbers of RFC 8785 appendix B', t => {
  const numbers: Record<string, string> = {
    '0000000000000000': '0',
    8000000000000000: '0',
    '0000000000000001': '5e-324',
    '8000000000000001': '-5e-324',
    '7fefffffffffffff': '1.7976931348623157e+308',
    ffefffffffffffff: '-1.7976931348623157e+308',
    4340000000000000: '9007199254740992',
    c340000000000000: '-9007199254740992',
    4430000000000000: '295147905179352830000',
    '44b52d02c7e14af5': '9.999999999999997e+22',
    '44b52d02c7e14af6': '1e+23',
    '44b52d02c7e14af7': '1.0000000000000001e+23',
    '444b1ae4d6e2ef4e': '999999999999999700000',
    '444b1ae4d6e2ef4f': '999999999999999900000',
    '444b1ae4d6e2ef50': '1e+21',
    '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
    '3eb0c6f7a0b5ed8d': '0.000001',
    '41b3de4355555553': '333333333.3333332',
    '41b3de4355555554': '333333333.33333325',
    '41b3de4355555555': '333333333.3333333',
    '41b3de4355555556': '333333333.3333334',
    '41b3de4355555557': '333333333.33333343',
    becbf647612f3696: '-0.0000033333333333333333',
    '43143ff3c1cb0959': '1424953923781206.2'
  }
  const read = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE(0)
  for (const [bits, text] of Object.entries(numbers)) t.equal(canonicalize(read(bits)), text, bits)
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])
    t.throws(() => canonicalize(read(bits)), TypeError, bits)
  t.end()
})

t.test('what JSON cannot carry is refused with its place', t => {
  const refused: [unknown, string][] = [
    [{ a: [1, Infinity] }, '`/a/1`'],
    [{ a: { 'b/c~d': '\ud800' } }, '`/a/b~1c~0d`'],
    [['\udc00\ud800'], '`/0`'],
    [{ list: [{ '\ud83d': 1 }] }, '`/list/0/\ud83d`'],
    [{ gone: undefined }, '`/gone`'],
    [[1n], '`/0`'],
    [{ run: () => 1 }, '`/run`'],
    [{ when: new Date(0) }, '`/when`'],
    [new Map(), 'the document itself'],
    [{ toJSON: () => 'other' }, '`/toJSON`']
  ]
  for (const [value, place] of refused) {
    const caught = t.throws(() => canonicalize(value as JsonValue), TypeError)
    t.match(caught instanceof Error ? caught.message : '', place)
  }
  t.end()
})

t.test('nesting is bounded, and a cycle ends as an error', t => {
  const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)])
  t.equal(canonicalize(nested(200)).length, 401)
  t.throws(() => canonicalize(nested(201)), { message: /deeper than 200/ })
  const cycle: Record<string, unknown> = {}
  cycle.again = cycle
  t.throws(() => canonicalize(cycle as JsonValue), TypeError)
  t.end()
})

t.test('inherited members do not count; members of objects without a prototype do', t => {
  const bare = Object.assign(Object.create(null) as Record<string, JsonValue>, { b: 1, a: 2 })
  t.equal(canonicalize(bare), '{"a":2,"b":1}')
  t.equal(canonicalize({ toJSON: 'text' }), '{"toJSON":"text"}')
  t.end()
})

t.test('agrees with an independent implementation, and is a fixed point', t => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: anyCharacter }), value => {
      const plain = parse(JSON.stringify(value))
      const canonical = canonicalize(plain)
      return canonical === oracle(plain) && canonicalize(parse(canonical)) === canonical
    }),
    { numRuns: 3000 }
  )
  t.end()
})

t.test('the order in which members were added does not matter', t => {
  const member = fc.tuple(fc.string({ unit: anyCharacter }), fc.integer())
  fc.assert(
    fc.property(fc.uniqueArray(member, { selector: ([name]) => name }), members => {
      return canonicalize(Object.fromEntries(members)) === canonicalize(Object.fromEntries([...members].reverse()))
    }),
    { numRuns: 1000 }
  )
  t.end()
})
