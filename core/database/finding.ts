/** The result of one check by `pantry doctor`. */
export type Finding = Readonly<{
  name: string
  ok: boolean
  detail: string
  /** What to do; empty when all is well. */ fix: string
}>

export const good = (name: string, detail: string): Finding => ({ name, ok: true, detail, fix: '' })
export const bad = (name: string, detail: string, fix: string): Finding => ({ name, ok: false, detail, fix })
