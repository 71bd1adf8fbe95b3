import { suggest } from 'pantry/data'

type Warning = Readonly<{
  path: string
  code:
    | 'wrong_type'
    | 'unsupported_value'
    | 'out_of_range'
    | 'invalid_format'
    | 'control_character'
    | 'duplicate'
    | 'name_too_long'
  message: string
}>
type Truncation = Readonly<{
  path: string
  unit: 'characters' | 'items' | 'members' | 'levels'
  given: number
  kept: number
}>
type Unrecognised = Readonly<{ field: string; did_you_mean: string | null }>

/** The most remarks of one kind; a body of 64 KiB could cause thousands. */
const most = 64
const longestPath = 200

/** Collects the changes made by normalisation, to report them to the sender. */
export class Notes {
  readonly warnings: Warning[] = []
  readonly truncations: Truncation[] = []
  readonly unrecognised: Unrecognised[] = []
  /** The number of remarks beyond the limit, which are not listed. */
  omitted = 0

  warn(path: string, code: Warning['code'], message: string): void {
    this.#add(this.warnings, { path: path.slice(0, longestPath), code, message })
  }

  truncate(path: string, unit: Truncation['unit'], given: number, kept: number): void {
    this.#add(this.truncations, { path: path.slice(0, longestPath), unit, given, kept })
  }

  /** Notes unknown members, each with the known one that was perhaps meant. */
  refuseUnknown(
    names: readonly string[],
    known: readonly string[],
    { where = '', aliases = {} }: Readonly<{ where?: string; aliases?: Readonly<Record<string, string>> }> = {}
  ): void {
    const unknown = names.filter(name => !known.includes(name))
    // Finding suggestions is slow, so it is done only for the names that are listed.
    const room = most - this.unrecognised.length
    this.omitted += Math.max(0, unknown.length - room)
    for (const name of unknown.slice(0, room)) {
      const close = Object.hasOwn(aliases, name) ? name : suggest(name, [...known, ...Object.keys(aliases)])
      const meant = close === undefined ? undefined : Object.hasOwn(aliases, close) ? aliases[close] : close
      this.unrecognised.push({
        field: `${where}${name}`.slice(0, longestPath),
        did_you_mean: meant === undefined ? null : `${where}${meant}`
      })
    }
  }

  #add<T>(list: T[], remark: T): void {
    if (list.length < most) list.push(remark)
    else this.omitted += 1
  }
}
