import { parseArgs } from 'node:util'

/**
 * What a long load is asked for: how long, how many requests a second, the seed of its dice, the folder of its report,
 * and whether the result goes to stdout as JSON.
 */
type LoadOptions = Readonly<{ minutes: number; rate: number; seed: number; out: string; json: boolean; short: boolean }>

/**
 * Reads the command line of a long load. Less than two minutes say nothing of memory and times, and are refused;
 * `--short` is one minute whose goals of memory and time are shown, and not judged. `--help` and mistakes end the
 * process, with 0 and 2.
 */
export function readOptions(help: string, defaults: Readonly<{ minutes: number; rate: number }>): LoadOptions {
  const fail = (message: string): never => {
    process.stderr.write(`${message}\n\n${help}`)
    process.exit(2)
  }
  const read = () => {
    try {
      return parseArgs({
        options: {
          minutes: { type: 'string' },
          rate: { type: 'string' },
          seed: { type: 'string' },
          out: { type: 'string', default: '.test/endurance' },
          json: { type: 'boolean', default: false },
          short: { type: 'boolean', default: false },
          help: { type: 'boolean', default: false }
        }
      }).values
    } catch (error) {
      return fail((error as Error).message)
    }
  }
  const { minutes, rate, seed, out, json, short, help: asked } = read()
  if (asked) {
    process.stdout.write(help)
    process.exit()
  }
  const above = (name: string, text: string | undefined, otherwise: number, least: number): number => {
    const value = text === undefined ? otherwise : Number(text)
    return value >= least && Number.isFinite(value)
      ? value
      : fail(`--${name} must be a number, ${least} or more, but it is \`${text ?? ''}\`.`)
  }
  return {
    minutes: short ? 1 : above('minutes', minutes, defaults.minutes, 2),
    rate: above('rate', rate, defaults.rate, 1),
    seed: Math.trunc(above('seed', seed, Date.now() % 1e6, 0)),
    out,
    json,
    short
  }
}
