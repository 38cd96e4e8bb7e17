import { CommandError } from './envelope.ts'

/**
 * The arguments of each command: `ref_id` a word, `path?` an optional one, `verb:list,get` one of some, `--name=` an option
 * with a text, `--name#` with a whole number, `--name*` that may be repeated, `--name` without a value.
 */
export const COMMAND_FORMS = {
  snapshot:
    '--app= --window-id= --max-depth# --include-bounds --interactive-only --compact --skeleton --surface= --root= --snapshot= --timeout-ms# --force-electron-a11y',
  find: '--app= --window-id= --role= --name= --value= --text= --description= --native-id= --exact --root= --surface= --state* --first --last --nth# --count --limit#',
  get: 'ref_id --property= --snapshot=',
  is: 'ref_id --property= --snapshot=',
  click: 'ref_id --snapshot= --timeout-ms#',
  'right-click': 'ref_id --snapshot= --timeout-ms#',
  'double-click': 'ref_id --snapshot= --timeout-ms#',
  'triple-click': 'ref_id --snapshot= --timeout-ms#',
  clear: 'ref_id --snapshot= --timeout-ms#',
  focus: 'ref_id --snapshot= --timeout-ms#',
  toggle: 'ref_id --snapshot= --timeout-ms#',
  check: 'ref_id --snapshot= --timeout-ms#',
  uncheck: 'ref_id --snapshot= --timeout-ms#',
  expand: 'ref_id --snapshot= --timeout-ms#',
  collapse: 'ref_id --snapshot= --timeout-ms#',
  'scroll-to': 'ref_id --snapshot= --timeout-ms#',
  type: 'ref_id text --snapshot= --timeout-ms#',
  'set-value': 'ref_id value --snapshot= --timeout-ms#',
  select: 'ref_id value --snapshot= --timeout-ms#',
  scroll: 'ref_id --direction= --amount# --snapshot= --timeout-ms#',
  press: 'combo --app= --window-id= --force',
  'key-down': 'combo',
  'key-up': 'combo',
  'mouse-down': '--xy= --button=',
  'mouse-up': '--xy= --button=',
  hover: 'ref_id? --xy= --snapshot= --duration# --timeout-ms#',
  drag: '--from= --from-xy= --to= --to-xy= --snapshot= --duration# --drop-delay# --timeout-ms#',
  'mouse-move': '--xy=',
  'mouse-click': '--xy= --button= --count# --modifiers=',
  'mouse-wheel': '--x# --y# --dy# --dx#',
  launch: 'app --timeout# --arg* --env* --cwd= --no-attach --activate --cdp=',
  'close-app': 'app --force',
  'list-windows': '--app=',
  'list-apps': '--app=',
  'list-displays': '',
  'list-surfaces': '--app=',
  'focus-window': '--app= --window-id= --title=',
  'resize-window': '--app= --window-id= --width# --height#',
  'move-window': '--app= --window-id= --x# --y#',
  minimize: '--app= --window-id=',
  maximize: '--app= --window-id=',
  restore: '--app= --window-id=',
  'open-system-surface': 'surface',
  'list-notifications': '--app= --text= --limit#',
  'dismiss-notification': 'index --app=',
  'dismiss-all-notifications': '--app=',
  'notification-action': 'index action --app=',
  'clipboard-get': '',
  'clipboard-set': 'text',
  'clipboard-clear': '',
  wait: 'ms? --element= --predicate= --value= --action= --snapshot= --window= --text= --count# --menu --menu-closed --notification --event= --window-id= --app= --timeout#',
  screenshot: 'path? --app= --window-id= --screen#',
  batch: 'commands --stop-on-error --timeout-ms#',
  status: '',
  permissions: '--guide',
  version: '',
  session: 'verb:start,list,end,gc id? --name= --no-trace --screenshots --cursor --multi-agent --older-than= --ended',
  trace: 'verb:show,export --limit# --event= --out=',
  skills: 'verb:list,get,path? name? --full',
} as const satisfies Readonly<Record<string, string>>

export type DeskCommandName = keyof typeof COMMAND_FORMS

/** Flags of every command, before or after it. */
const GLOBALS =
  '--verbose --session= --agent-id= --trace= --trace-strict --headed --wait-for= --wait-for-gone= --wait-timeout# --wait-for-scope='

const SHORT: Readonly<Record<string, string>> = { v: 'verbose', i: 'interactive-only', w: 'wait-for' }

type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A command with its arguments by name, in snake case. */
export interface ParsedCommand {
  readonly command: DeskCommandName
  readonly args: Values
  readonly globals: Values
}

interface Option {
  readonly name: string
  readonly kind: 'flag' | 'text' | 'number' | 'list'
}

const KINDS: Readonly<Record<string, Option['kind']>> = { '=': 'text', '#': 'number', '*': 'list' }

function optionsIn(form: string): ReadonlyMap<string, Option> {
  const words = form.split(' ').filter((word) => word.startsWith('--'))
  return new Map(
    words.map((word) => {
      const kind = KINDS[word.at(-1)!] ?? 'flag'
      const name = word.slice(2, kind === 'flag' ? undefined : -1)
      return [name, { name, kind }]
    }),
  )
}

interface Word {
  readonly name: string
  readonly isOptional: boolean
  /** The words that it may be, if not any. */
  readonly choices: readonly string[] | undefined
}

const wordsIn = (form: string): readonly Word[] =>
  form
    .split(' ')
    .filter((word) => word !== '' && !word.startsWith('--'))
    .map((word) => {
      const [name = '', choices] = word.replace('?', '').split(':')
      return { name, isOptional: word.endsWith('?'), choices: choices?.split(',') }
    })

/** Throws for a word that is none of those that it may be. */
function checkChoices(words: readonly Word[], values: Readonly<Record<string, unknown>>): void {
  for (const { name, choices } of words) {
    const value = values[name]
    if (typeof value === 'string' && choices && !choices.includes(value))
      throw invalid(`error: unrecognized subcommand '${value.slice(0, 100)}'; there are ${choices.join(', ')}`)
  }
}

const GLOBAL_OPTIONS = optionsIn(GLOBALS)

export const isCommand = (name: string): name is DeskCommandName => Object.hasOwn(COMMAND_FORMS, name)

const invalid = (message: string): CommandError => new CommandError('INVALID_ARGS', message)

const snake = (name: string): string => name.replaceAll('-', '_')

/** Parses a command line. Throws `INVALID_ARGS`. */
export function parseCommand(argv: readonly string[]): ParsedCommand {
  const left = [...argv]
  const words: string[] = []
  const globals: Record<string, string | number | boolean> = {}
  const given: [Option, string | undefined][] = []
  let command: DeskCommandName | undefined
  let isRest = false
  while (left.length > 0) {
    const word = left.shift()!
    if (isRest || !/^-[a-zA-Z-]/.test(word)) {
      if (command === undefined) {
        if (!isCommand(word)) throw invalid(`error: unrecognized subcommand '${word.slice(0, 100)}'`)
        command = word
      } else words.push(word)
      continue
    }
    if (word === '--') {
      isRest = true
      continue
    }
    const [written = '', inline] = word.split(/=(.*)/s, 2)
    const name = written.startsWith('--') ? written.slice(2) : (SHORT[written.slice(1)] ?? '')
    const own = command === undefined ? undefined : optionsIn(COMMAND_FORMS[command]).get(name)
    const option = own ?? GLOBAL_OPTIONS.get(name)
    if (!option) throw invalid(`error: unexpected argument '${written.slice(0, 100)}' found`)
    const value = option.kind === 'flag' ? undefined : (inline ?? left.shift())
    if (option.kind !== 'flag' && value === undefined)
      throw invalid(`error: a value is required for '--${name} <VALUE>'`)
    if (own) given.push([option, value])
    else globals[snake(name)] = option.kind === 'number' ? numberOf(name, value!) : (value ?? true)
  }
  if (command === undefined) throw invalid('error: a subcommand is required')
  return { command, args: { ...positionals(command, words), ...valuesOf(given) }, globals }
}

function positionals(command: DeskCommandName, words: readonly string[]): Values {
  const known = wordsIn(COMMAND_FORMS[command])
  const missing = known.slice(words.length).find(({ isOptional }) => !isOptional)
  if (missing)
    throw invalid(`error: the following required arguments were not provided: <${missing.name.toUpperCase()}>`)
  if (words.length > known.length)
    throw invalid(`error: unexpected argument '${words[known.length]!.slice(0, 100)}' found`)
  const values = Object.fromEntries(words.map((word, at) => [known[at]!.name, word]))
  checkChoices(known, values)
  return values
}

function valuesOf(given: readonly (readonly [Option, string | undefined])[]): Values {
  const values: Record<string, string | number | boolean | readonly string[]> = {}
  for (const [{ name, kind }, text] of given) {
    const key = snake(name)
    if (kind === 'list') values[key] = [...((values[key] as readonly string[] | undefined) ?? []), text!]
    else values[key] = kind === 'flag' ? true : kind === 'number' ? numberOf(name, text!) : text!
  }
  return values
}

function numberOf(name: string, text: string): number {
  if (!/^-?\d{1,9}$/.test(text))
    throw invalid(`error: invalid value '${text.slice(0, 100)}' for '--${name}': invalid digit found in string`)
  return Number(text)
}

/** The arguments of an entry of a batch, which have the same names in snake case. Throws `INVALID_ARGS` for others. */
export function entryArguments(command: DeskCommandName, args: Readonly<Record<string, unknown>>): Values {
  const form = COMMAND_FORMS[command]
  const words = wordsIn(form)
  const options = optionsIn(form)
  const known = new Map<string, Option['kind']>([
    ...words.map(({ name }): [string, Option['kind']] => [name, 'text']),
    ...[...options.values()].map(({ name, kind }): [string, Option['kind']] => [snake(name), kind]),
  ])
  const unknown = Object.keys(args).find((name) => !known.has(name))
  if (unknown !== undefined) throw invalid(`unknown field '${unknown.slice(0, 100)}' for ${command}`)
  const missing = words.find(({ name, isOptional }) => !isOptional && args[name] === undefined)
  if (missing) throw invalid(`missing field '${missing.name}' for ${command}`)
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
  for (const [name, value] of entries)
    if (!fits(known.get(name)!, value, name)) throw invalid(`invalid type for field '${name}' of ${command}`)
  checkChoices(words, args)
  return Object.fromEntries(entries) as Values
}

function fits(kind: Option['kind'], value: unknown, name: string): boolean {
  if (kind === 'flag') return typeof value === 'boolean'
  if (kind === 'number' || name === 'ms') return Number.isSafeInteger(value)
  if (kind === 'list') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  return typeof value === 'string'
}
