import { Argument, type Command, type Option } from 'commander'
import { defineCommand } from '../command.ts'
import { print } from '../io.ts'

const flagsOf = ({ long, short }: Option): string[] => [long, short].filter(flag => typeof flag === 'string')
const takesValue = (option: Option): boolean => option.required || option.optional
const wordsOf = (command: Command): readonly string[] =>
  command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command)

function bash(top: Command): string {
  const names = [...top.commands.map(command => command.name()), 'help'].join(' ')
  const values = top.commands.flatMap(command =>
    optionsOf(command)
      .filter(takesValue)
      .flatMap(option =>
        flagsOf(option).map(
          flag => `    '${command.name()} ${flag}') words='${(option.argChoices ?? []).join(' ')}' ;;`
        )
      )
  )
  const words = top.commands.map(
    command =>
      `      ${command.name()}) words='${[...wordsOf(command), ...optionsOf(command).flatMap(flagsOf)].join(' ')}' ;;`
  )
  return `_${top.name()} () {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names}' -- "$current"))
    return
  fi
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
    *) case "$command" in
      help) words='${names}' ;;
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${top.name()} ${top.name()}
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const zshOption = (option: Option): string[] =>
  flagsOf(option).map(flag => {
    const meaning = option.description.replaceAll(/[[\]:\\]/g, '\\$&')
    const value = takesValue(option)
      ? `:value:${option.argChoices === undefined ? '_files' : `(${option.argChoices.join(' ')})`}`
      : ''
    return quoted(`*${flag}[${meaning}]${value}`)
  })

function zsh(top: Command): string {
  const names = top.commands.map(command => quoted(`${command.name()}:${command.summary().replaceAll(':', '\\:')}`))
  const cases = top.commands.map(command => {
    const words = wordsOf(command)
    const rest = quoted(words.length === 0 ? '*:file:_files' : `*:word:(${words.join(' ')})`)
    return `    ${command.name()}) _arguments ${[...optionsOf(command).flatMap(zshOption), rest].join(' ')} ;;`
  })
  return `#compdef ${top.name()}
_${top.name()} () {
  local -a commands
  commands=(${[...names, quoted('help:Teach one command.')].join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
compdef _${top.name()} ${top.name()}
`
}

function fish(top: Command): string {
  const name = top.name()
  const commands = [
    ...top.commands.map(command => [command.name(), command.summary()] as const),
    ['help', 'Teach one command.'] as const
  ].map(([word, meaning]) => `complete -c ${name} -n __fish_use_subcommand -f -a ${word} -d ${quoted(meaning)}`)
  const details = top.commands.flatMap(command => {
    const start = `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name()}'`
    const words = wordsOf(command).map(word => `${start} -f -a ${word}`)
    return [
      ...words,
      ...optionsOf(command).map(option => {
        const value = !takesValue(option)
          ? ''
          : option.argChoices === undefined
            ? ' -r'
            : ` -x -a ${quoted(option.argChoices.join(' '))}`
        const short = typeof option.short === 'string' ? ` -s ${option.short.slice(1)}` : ''
        return `${start} -l ${(option.long ?? '').slice(2)}${short}${value} -d ${quoted(option.description)}`
      })
    ]
  })
  return `${[...commands, ...details].join('\n')}\n`
}

const scripts = { bash, zsh, fish }
export const shells = Object.keys(scripts)

export const completion = defineCommand<[shell: keyof typeof scripts], object>({
  name: 'completion',
  group: 'operate',
  summary: 'Print a completion script for your shell.',
  description: [
    'Prints a script that completes commands, options and the words they take.',
    'It is made from the commands themselves, so it knows every one of them.'
  ],
  arguments: [new Argument('<shell>', 'Your shell.').choices(shells)],
  options: [],
  examples: [
    ['source <(pantry completion bash)', 'For this session of bash.'],
    ['pantry completion zsh > ~/.zsh/completion-pantry.zsh', 'To be sourced in `.zshrc`.'],
    ['pantry completion fish > ~/.config/fish/completions/pantry.fish', 'For every session of fish.']
  ],
  exits: {},
  run([shell], _options, io, tree) {
    print(io.stdout, scripts[shell](tree))
    return Promise.resolve(0)
  }
})
