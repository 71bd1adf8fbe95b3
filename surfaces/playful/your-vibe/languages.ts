type Wish = Readonly<{ language: string; weight: number }>

const most = 10
const member = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4}|\*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Parses an Accept-Language field (RFC 9110 §12.5.4), the most preferred language first; malformed parts are skipped.
 */
export const languagesOf = (field: string): readonly Wish[] =>
  field
    .slice(0, 1000)
    .split(',')
    .flatMap((part): Wish[] => {
      const found = member.exec(part.trim())
      return found === null ? [] : [{ language: found[1] ?? '', weight: found[2] === undefined ? 1 : Number(found[2]) }]
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
