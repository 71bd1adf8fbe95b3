/** Returns a text with hiragana for katakana, which are read alike. The mark of a long vowel stays. */
export const hiraganaOf = (text: string): string =>
  text.replace(/[ァ-ヶ]/g, kana => String.fromCharCode(kana.charCodeAt(0) - 0x60))

/** The kana of each row of the table of sounds, by the consonant that Hepburn writes, in the order of the vowels. */
const rows: Readonly<Record<string, string>> = {
  '': 'あいうえお',
  k: 'かきくけこ',
  g: 'がぎぐげご',
  s: 'さ すせそ',
  z: 'ざ ずぜぞ',
  t: 'た  てと',
  d: 'だ  でど',
  n: 'なにぬねの',
  h: 'はひ へほ',
  b: 'ばびぶべぼ',
  p: 'ぱぴぷぺぽ',
  m: 'まみむめも',
  y: 'や ゆ よ',
  r: 'らりるれろ',
  w: 'わゐ ゑを',
  sh: ' し   ',
  ch: ' ち   ',
  ts: '  つ  ',
  j: ' じ   ',
  f: '  ふ  ',
  v: '  ゔ  '
}
const vowels = 'aiueo'
const small = 'ぁぃぅぇぉ'

const sounds: ReadonlyMap<string, string> = new Map([
  ...Object.entries(rows).flatMap(([consonant, kana]) =>
    Array.from(kana).flatMap((one, at): (readonly [string, string])[] =>
      one === ' ' ? [] : [[one, consonant + vowels.charAt(at)]]
    )
  ),
  ['ぢ', 'ji'],
  ['づ', 'zu'],
  ['ん', 'n']
])

/**
 * Returns hiragana in Latin letters (Hepburn), each long vowel as two; other characters stay. `ぴかちゅう` becomes
 * `pikachuu`.
 */
export const romanised = (hiragana: string): string => (/[ぁ-ゖー]/.test(hiragana) ? inLatin(hiragana) : hiragana)

const inLatin = (hiragana: string): string =>
  hiragana
    .replace(/[ぁ-ゖ]/g, kana => sounds.get(kana) ?? kana)
    .replace(/(sh|ch|j)i([ゃゅょ])/g, (_, consonant: string, glide: string) => consonant + vowelOf(glide))
    .replace(/([a-z]+)i([ゃゅょ])/g, (_, consonant: string, glide: string) => `${consonant}y${vowelOf(glide)}`)
    .replace(/[aiueo]([ぁぃぅぇぉ])/g, (_, kana: string) => vowels.charAt(small.indexOf(kana)))
    .replace(/っ+([a-z])/g, '$1$1')
    .replace(/([aiueo])ー/g, '$1$1')

/** Returns a word in the newer form of Hepburn, which writes `n` before `b` and `p` too: `jinbei` for `jimbei`. */
export const newerHepburn = (word: string): string => word.replace(/m(?=[bp])/g, 'n')

const vowelOf = (glide: string): string => 'auo'.charAt('ゃゅょ'.indexOf(glide))
